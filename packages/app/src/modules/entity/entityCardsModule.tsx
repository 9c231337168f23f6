import type { Entity } from '@backstage/catalog-model';
import {
  type AppNode,
  coreExtensionData,
  createFrontendModule,
  ExtensionBoundary,
} from '@backstage/frontend-plugin-api';
import apiDocsPlugin from '@backstage/plugin-api-docs/alpha';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { EntityIconLinkBlueprint } from '@backstage/plugin-catalog-react/alpha';
import orgPlugin from '@backstage/plugin-org/alpha';
import type { AboutLink } from './AboutCard';

/** Renders the card about an entity, with the links of plugins. */
const about = (node: AppNode, links: readonly AboutLink[] = []) =>
  coreExtensionData.reactElement(
    ExtensionBoundary.lazy(node, () =>
      import('./AboutCard').then(({ AboutCard }) => (
        <AboutCard links={links} />
      )),
    ),
  );

const { filterFunction, useProps } = EntityIconLinkBlueprint.dataRefs;
const isForAll = (_entity: Entity) => true;

const aboutCard = catalogPlugin
  .getExtension('entity-card:catalog/about')
  .override({
    *factory(originalFactory, { inputs, node }) {
      yield* originalFactory();
      yield about(
        node,
        inputs.iconLinks.map(link => ({
          id: link.node.spec.id,
          isFor: link.get(filterFunction) ?? isForAll,
          useProps: link.get(useProps),
        })),
      );
    },
  });

const linksCard = catalogPlugin
  .getExtension('entity-card:catalog/links')
  .override({
    *factory(originalFactory, { node }) {
      yield* originalFactory();
      yield coreExtensionData.reactElement(
        ExtensionBoundary.lazy(node, () =>
          import('./LinksCard').then(({ LinksCard }) => <LinksCard />),
        ),
      );
    },
  });

const groupCard = orgPlugin
  .getExtension('entity-card:org/group-profile')
  .override({
    *factory(originalFactory, { node }) {
      yield* originalFactory();
      yield about(node);
    },
  });

const userCard = orgPlugin
  .getExtension('entity-card:org/user-profile')
  .override({
    *factory(originalFactory, { node }) {
      yield* originalFactory();
      yield about(node);
    },
  });

/** Kinds that the card of Backstage lists unless it is configured. */
const OWNED_KINDS = ['Component', 'API', 'System', 'Resource'];

const ownershipCard = orgPlugin
  .getExtension('entity-card:org/ownership')
  .override({
    *factory(originalFactory, { config, node }) {
      yield* originalFactory();
      yield coreExtensionData.reactElement(
        ExtensionBoundary.lazy(node, () =>
          import('./OwnershipCard').then(({ OwnershipCard }) => (
            <OwnershipCard
              kinds={config.ownedKinds ?? OWNED_KINDS}
              aggregation={config.initialRelationAggregation}
              hasSwitch={config.showAggregateMembersToggle}
            />
          )),
        ),
      );
    },
  });

/** Renders a part of the list of APIs of a component. */
const apis = (
  node: AppNode,
  name: 'ApisContent' | 'providedApis' | 'consumedApis',
) =>
  coreExtensionData.reactElement(
    ExtensionBoundary.lazy(node, () =>
      import('./RelatedApis').then(({ ApisContent, RelatedApis }) =>
        name === 'ApisContent' ? <ApisContent /> : <RelatedApis name={name} />,
      ),
    ),
  );

const apisContent = apiDocsPlugin
  .getExtension('entity-content:api-docs/apis')
  .override({
    *factory(originalFactory, { node }) {
      yield* originalFactory();
      yield apis(node, 'ApisContent');
    },
  });

const providedApisCard = apiDocsPlugin
  .getExtension('entity-card:api-docs/provided-apis')
  .override({
    *factory(originalFactory, { node }) {
      yield* originalFactory();
      yield apis(node, 'providedApis');
    },
  });

const consumedApisCard = apiDocsPlugin
  .getExtension('entity-card:api-docs/consumed-apis')
  .override({
    *factory(originalFactory, { node }) {
      yield* originalFactory();
      yield apis(node, 'consumedApis');
    },
  });

/** The catalog's cards about an entity with our components; icon links of plugins keep their place. */
export const entityCardsModule = createFrontendModule({
  pluginId: 'catalog',
  extensions: [aboutCard, linksCard],
});

/** The cards of users and groups with our components. */
export const ownersModule = createFrontendModule({
  pluginId: 'org',
  extensions: [groupCard, userCard, ownershipCard],
});

/** The lists of a component's APIs with our components. */
export const entityApisModule = createFrontendModule({
  pluginId: 'api-docs',
  extensions: [apisContent, providedApisCard, consumedApisCard],
});
