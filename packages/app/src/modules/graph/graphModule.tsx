import type { ReactNode } from 'react';
import {
  coreExtensionData,
  createFrontendModule,
  ExtensionBoundary,
} from '@backstage/frontend-plugin-api';
import catalogGraphPlugin from '@backstage/plugin-catalog-graph/alpha';
import { useSearchParams } from 'react-router-dom';

/** Chooses by the address: the graph of what it names, or a page to choose that. */
function GraphPage(props: { graph: ReactNode; start: ReactNode }) {
  const [params] = useSearchParams();
  const hasRoot = [...params].some(
    ([key, ref]) => key.startsWith('rootEntityRefs[') && ref !== '',
  );
  return <>{hasRoot ? props.graph : props.start}</>;
}

const page = catalogGraphPlugin.getExtension('page:catalog-graph').override({
  *factory(originalFactory, { config, node }) {
    const original = originalFactory();
    yield* original;
    // A portal whose configuration names a root keeps the graph of it.
    if (!config.rootEntityRefs?.length) {
      yield coreExtensionData.reactElement(
        <GraphPage
          graph={original.get(coreExtensionData.reactElement)}
          start={ExtensionBoundary.lazy(node, () =>
            import('./GraphStart').then(({ GraphStart }) => <GraphStart />),
          )}
        />,
      );
    }
  },
});

/** The catalog graph, which is blank by itself until an address names where it starts. */
export const graphModule = createFrontendModule({
  pluginId: 'catalog-graph',
  extensions: [page],
});
