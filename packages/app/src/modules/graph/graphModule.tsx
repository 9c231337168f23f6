import {
  coreExtensionData,
  createFrontendModule,
  ExtensionBoundary,
} from '@backstage/frontend-plugin-api';
import catalogGraphPlugin from '@backstage/plugin-catalog-graph/alpha';
import { useSearchParams } from 'react-router-dom';
import { readGraphAddress } from './graphAddress';

/** Shows the graph that the URL describes, or a page to choose where it starts. */
function GraphOrStart(props: {
  graph: JSX.Element;
  start: JSX.Element;
  /** True if the configuration defines a root. */
  hasRoot: boolean;
}) {
  const [params] = useSearchParams();
  const { rootEntityRefs } = readGraphAddress(params);
  return props.hasRoot || rootEntityRefs.length > 0 ? props.graph : props.start;
}

const page = catalogGraphPlugin.getExtension('page:catalog-graph').override({
  *factory(originalFactory, { config, node }) {
    yield* originalFactory();
    const { kinds, relations, relationPairs, showArrowHeads, zoom } = config;
    const text = (value: number | boolean | undefined) =>
      value === undefined ? undefined : String(value);
    const defaults = {
      rootEntityRefs: config.rootEntityRefs,
      selectedKinds: config.selectedKinds,
      selectedRelations: config.selectedRelations,
      maxDepth: text(config.maxDepth),
      unidirectional: text(config.unidirectional),
      mergeRelations: text(config.mergeRelations),
      direction: config.direction,
      curve: config.curve,
    };
    yield coreExtensionData.reactElement(
      <GraphOrStart
        hasRoot={Boolean(config.rootEntityRefs?.length)}
        graph={ExtensionBoundary.lazy(node, () =>
          import('./GraphPage').then(({ GraphPage }) => (
            <GraphPage
              defaults={defaults}
              fixed={{ kinds, relations, relationPairs, showArrowHeads, zoom }}
            />
          )),
        )}
        start={ExtensionBoundary.lazy(node, () =>
          import('./GraphStart').then(({ GraphStart }) => <GraphStart />),
        )}
      />,
    );
  },
});

/** The catalog graph with our controls, and a page to choose where it starts. */
export const graphModule = createFrontendModule({
  pluginId: 'catalog-graph',
  extensions: [page],
});
