import {
  coreExtensionData,
  createFrontendModule,
  ExtensionBoundary,
} from '@backstage/frontend-plugin-api';
import catalogImportPlugin from '@backstage/plugin-catalog-import/alpha';

const page = catalogImportPlugin.getExtension('page:catalog-import').override({
  *factory(originalFactory, { node }) {
    yield* originalFactory();
    yield coreExtensionData.reactElement(
      ExtensionBoundary.lazy(node, () =>
        import('./ImportPage').then(({ ImportPage }) => <ImportPage />),
      ),
    );
  },
});

/** The import page, built with our components and Backstage's analysis of URLs. */
export const importModule = createFrontendModule({
  pluginId: 'catalog-import',
  extensions: [page],
});
