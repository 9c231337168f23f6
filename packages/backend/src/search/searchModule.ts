import {
  coreServices,
  createBackendModule,
} from '@backstage/backend-plugin-api';
import type { Entity } from '@backstage/catalog-model';
import {
  catalogCollatorExtensionPoint,
  defaultCatalogCollatorEntityTransformer,
} from '@backstage/plugin-search-backend-module-catalog';
import { PgSearchEngine } from '@backstage/plugin-search-backend-module-pg';
import { searchEngineRegistryExtensionPoint } from '@backstage/plugin-search-backend-node/alpha';
import { TitleFirstEngine } from './TitleFirstEngine';

/** Indexes entities by the titles that pages show, and ranks matches in titles first. */
export const searchModule = createBackendModule({
  pluginId: 'search',
  moduleId: 'names',
  register(reg) {
    reg.registerInit({
      deps: {
        collator: catalogCollatorExtensionPoint,
        engines: searchEngineRegistryExtensionPoint,
        database: coreServices.database,
        logger: coreServices.logger,
      },
      async init({ collator, engines, database, logger }) {
        collator.setEntityTransformer(describeEntity);
        if (!(await PgSearchEngine.supported(database))) {
          engines.setSearchEngine(new TitleFirstEngine({ logger }));
        }
      },
    });
  },
});

/**
 * Describes an entity for the index. Backstage's default appends the display name of a person or
 * team to its description; here it is the title.
 */
export function describeEntity(entity: Entity) {
  const { metadata, spec } = entity;
  const profile = (spec?.profile ?? {}) as Record<string, unknown>;
  const { displayName, email } = profile;
  return {
    ...defaultCatalogCollatorEntityTransformer(entity),
    title: metadata.title ?? text(displayName) ?? metadata.name,
    text: [metadata.description, text(email)].filter(Boolean).join(' · '),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
