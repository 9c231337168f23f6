import type { Entity } from '@backstage/catalog-model';
import { createFrontendModule } from '@backstage/frontend-plugin-api';
import apiDocsPlugin from '@backstage/plugin-api-docs/alpha';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { EntityIconLinkBlueprint } from '@backstage/plugin-catalog-react/alpha';
import orgPlugin from '@backstage/plugin-org/alpha';
import { lazyElement, replaceElement } from '../../elements';
import type { AboutLink } from './AboutCard';
import type { RelationName } from './RelatedCards';

/** Returns the factory of a card that lists the entities of a relation. */
const listing = (name: RelationName) =>
  replaceElement(() =>
    import('./RelatedCards').then(({ RelatedCard }) => (
      <RelatedCard name={name} />
    )),
  );

/** Loads the card about an entity, with the links of plugins. */
const about = (links: readonly AboutLink[] = []) =>
  import('./AboutCard').then(({ AboutCard }) => <AboutCard links={links} />);

const { filterFunction, useProps } = EntityIconLinkBlueprint.dataRefs;
const isForAll = (_entity: Entity) => true;

const aboutCard = catalogPlugin
  .getExtension('entity-card:catalog/about')
  .override({
    *factory(originalFactory, { inputs, node }) {
      yield* originalFactory();
      const links = inputs.iconLinks.map(link => ({
        id: link.node.spec.id,
        isFor: link.get(filterFunction) ?? isForAll,
        useProps: link.get(useProps),
      }));
      yield lazyElement(node, () => about(links));
    },
  });

const linksCard = catalogPlugin
  .getExtension('entity-card:catalog/links')
  .override({
    factory: replaceElement(() =>
      import('./DescriptorCards').then(({ LinksCard }) => <LinksCard />),
    ),
  });

const labelsCard = catalogPlugin
  .getExtension('entity-card:catalog/labels')
  .override({
    factory: replaceElement(() =>
      import('./DescriptorCards').then(({ LabelsCard }) => <LabelsCard />),
    ),
  });

const catalogLists = [
  catalogPlugin
    .getExtension('entity-card:catalog/depends-on-components')
    .override({ factory: listing('neededComponents') }),
  catalogPlugin
    .getExtension('entity-card:catalog/depends-on-resources')
    .override({ factory: listing('neededResources') }),
  catalogPlugin
    .getExtension('entity-card:catalog/has-components')
    .override({ factory: listing('components') }),
  catalogPlugin
    .getExtension('entity-card:catalog/has-resources')
    .override({ factory: listing('resources') }),
  catalogPlugin
    .getExtension('entity-card:catalog/has-subcomponents')
    .override({ factory: listing('subcomponents') }),
  catalogPlugin
    .getExtension('entity-card:catalog/has-subdomains')
    .override({ factory: listing('subdomains') }),
  catalogPlugin
    .getExtension('entity-card:catalog/has-systems')
    .override({ factory: listing('systems') }),
];

const groupCard = orgPlugin
  .getExtension('entity-card:org/group-profile')
  .override({ factory: replaceElement(about) });

const userCard = orgPlugin
  .getExtension('entity-card:org/user-profile')
  .override({ factory: replaceElement(about) });

const membersCard = orgPlugin
  .getExtension('entity-card:org/members-list')
  .override({
    *factory(originalFactory, { config, node }) {
      yield* originalFactory();
      yield lazyElement(node, () =>
        import('./MembersCard').then(({ MembersCard }) => (
          <MembersCard
            aggregation={config.initialRelationAggregation}
            hasSwitch={config.showAggregateMembersToggle}
          />
        )),
      );
    },
  });

/** Kinds that Backstage's card lists by default. */
const OWNED_KINDS = ['Component', 'API', 'System', 'Resource'];

const ownershipCard = orgPlugin
  .getExtension('entity-card:org/ownership')
  .override({
    *factory(originalFactory, { config, node }) {
      yield* originalFactory();
      yield lazyElement(node, () =>
        import('./OwnershipCard').then(({ OwnershipCard }) => (
          <OwnershipCard
            kinds={config.ownedKinds ?? OWNED_KINDS}
            aggregation={config.initialRelationAggregation}
            hasSwitch={config.showAggregateMembersToggle}
          />
        )),
      );
    },
  });

const apisContent = apiDocsPlugin
  .getExtension('entity-content:api-docs/apis')
  .override({
    factory: replaceElement(() =>
      import('./RelatedCards').then(({ ApisContent }) => <ApisContent />),
    ),
  });

const apiLists = [
  apiDocsPlugin
    .getExtension('entity-card:api-docs/provided-apis')
    .override({ factory: listing('providedApis') }),
  apiDocsPlugin
    .getExtension('entity-card:api-docs/consumed-apis')
    .override({ factory: listing('consumedApis') }),
  apiDocsPlugin
    .getExtension('entity-card:api-docs/has-apis')
    .override({ factory: listing('apis') }),
  apiDocsPlugin
    .getExtension('entity-card:api-docs/providing-components')
    .override({ factory: listing('providers') }),
  apiDocsPlugin
    .getExtension('entity-card:api-docs/consuming-components')
    .override({ factory: listing('consumers') }),
];

const definition = () =>
  import('./DefinitionCard').then(({ DefinitionCard }) => <DefinitionCard />);

const definitionCard = apiDocsPlugin
  .getExtension('entity-card:api-docs/definition')
  .override({ factory: replaceElement(definition) });

const definitionContent = apiDocsPlugin
  .getExtension('entity-content:api-docs/definition')
  .override({ factory: replaceElement(definition) });

/** The catalog's cards about an entity with our components; icon links of plugins keep their place. */
export const entityCardsModule = createFrontendModule({
  pluginId: 'catalog',
  extensions: [aboutCard, linksCard, labelsCard, ...catalogLists],
});

/** The cards of users and groups with our components. */
export const ownersModule = createFrontendModule({
  pluginId: 'org',
  extensions: [groupCard, userCard, membersCard, ownershipCard],
});

/** The cards and tabs about APIs with our components; widgets of definitions keep their place. */
export const entityApisModule = createFrontendModule({
  pluginId: 'api-docs',
  extensions: [apisContent, ...apiLists, definitionCard, definitionContent],
});
