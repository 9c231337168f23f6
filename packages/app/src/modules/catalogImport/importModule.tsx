import { createFrontendModule } from '@backstage/frontend-plugin-api';
import catalogImportPlugin from '@backstage/plugin-catalog-import/alpha';
import { replaceElement } from '../../elements';

const page = catalogImportPlugin.getExtension('page:catalog-import').override({
  factory: replaceElement(() =>
    import('./ImportPage').then(({ ImportPage }) => <ImportPage />),
  ),
});

/** The import page, built with our components and Backstage's analysis of URLs. */
export const importModule = createFrontendModule({
  pluginId: 'catalog-import',
  extensions: [page],
});
