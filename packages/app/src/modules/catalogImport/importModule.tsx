import { createFrontendModule } from '@backstage/frontend-plugin-api';
import catalogImportPlugin from '@backstage/plugin-catalog-import/alpha';
import { showing } from '../../showing';

const page = catalogImportPlugin.getExtension('page:catalog-import').override({
  factory: showing(() =>
    import('./ImportPage').then(({ ImportPage }) => <ImportPage />),
  ),
});

/** The import page, built with our components and Backstage's analysis of URLs. */
export const importModule = createFrontendModule({
  pluginId: 'catalog-import',
  extensions: [page],
});
