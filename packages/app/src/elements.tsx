import type { JSX } from 'react';
import {
  type AppNode,
  coreExtensionData,
  ExtensionBoundary,
} from '@backstage/frontend-plugin-api';

/** Returns the element of an extension, which is loaded when it is first shown. */
export function lazyElement(node: AppNode, load: () => Promise<JSX.Element>) {
  return coreExtensionData.reactElement(ExtensionBoundary.lazy(node, load));
}

/**
 * Returns a factory that makes a stock page, tab or card render our element and changes nothing
 * else: `page.override({ factory: replaceElement(load) })`.
 */
export function replaceElement(load: () => Promise<JSX.Element>) {
  return function* factory<Value>(
    originalFactory: () => Iterable<Value>,
    { node }: { node: AppNode },
  ) {
    yield* originalFactory();
    yield lazyElement(node, load);
  };
}
