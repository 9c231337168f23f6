import { ReactNode } from 'react';
import { Entity, stringifyEntityRef } from '@backstage/catalog-model';
import {
  identityApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  EntityRefLink,
  useStarredEntities,
} from '@backstage/plugin-catalog-react';
import { ButtonLink, Link } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import {
  EmptyState,
  ErrorPanel,
  LoadingRows,
  Panel,
} from '@slipway/design-system';
import { describeKind } from '../../entities/describeKind';
import { type Loaded, useLoaded } from '../../entities/useLoaded';
import { appTranslationRef } from '../../translation';

import './HomePage.css';

/** Props of {@link EntityCard}. */
interface EntityCardProps {
  /** The key of the card's texts in the translation. */
  name: 'owned' | 'starred';
  action?: ReactNode;
  entities: Loaded<Entity[]>;
  /** Next step if the list is empty. */
  nextStep: { label: string; href: string };
}

/** Renders a card of the home page that lists catalog entities. */
function EntityCard(props: EntityCardProps) {
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <Panel
      title={t(`home.${props.name}.title`)}
      action={props.action}
      padded={false}
    >
      <EntityCardBody {...props} />
    </Panel>
  );
}

function EntityCardBody(props: EntityCardProps) {
  const { name, entities, nextStep } = props;
  const errorWords = useErrorWords();
  const { t } = useTranslationRef(appTranslationRef);
  if (entities.state === 'loading') {
    return <LoadingRows label={t(`home.${name}.loading`)} rows={4} />;
  }
  if (entities.state === 'failed') {
    return (
      <ErrorPanel
        title={t(`home.${name}.error`)}
        message={errorWords(entities.error)}
        onRetry={entities.retry}
      />
    );
  }
  if (entities.value.length === 0) {
    return (
      <EmptyState
        level={3}
        title={t(`home.${name}.emptyTitle`)}
        description={t(`home.${name}.emptyText`)}
        action={
          <ButtonLink size="small" variant="secondary" href={nextStep.href}>
            {nextStep.label}
          </ButtonLink>
        }
      />
    );
  }
  return (
    <ul className="slw-EntityList">
      {entities.value.map(entity => (
        <li key={stringifyEntityRef(entity)}>
          <EntityRefLink entityRef={entity} defaultKind="component" />
          <span className="slw-EntityKind">{describeKind(entity)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Maximum number of entities; the catalog page shows more. */
const LIMIT = 8;

const FIELDS = [
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.title',
  'spec.type',
];

/** Lists the entities that the user and the user's groups own. */
export function OwnedCard() {
  const { t } = useTranslationRef(appTranslationRef);
  const catalogApi = useApi(catalogApiRef);
  const identityApi = useApi(identityApiRef);
  const entities = useLoaded(async () => {
    const { ownershipEntityRefs } = await identityApi.getBackstageIdentity();
    const { items } = await catalogApi.queryEntities({
      filter: {
        kind: ['component', 'api', 'system', 'resource'],
        'relations.ownedBy': ownershipEntityRefs,
      },
      fields: FIELDS,
      orderFields: [{ field: 'metadata.name', order: 'asc' }],
      limit: LIMIT,
    });
    return items;
  }, [catalogApi, identityApi]);

  return (
    <EntityCard
      name="owned"
      action={
        <Link href="/catalog" variant="body-small">
          {t('home.owned.all')}
        </Link>
      }
      entities={entities}
      nextStep={{ label: t('home.owned.register'), href: '/catalog-import' }}
    />
  );
}

/** Lists the starred entities that still exist in the catalog. */
export function StarredCard() {
  const { t } = useTranslationRef(appTranslationRef);
  const catalogApi = useApi(catalogApiRef);
  const { starredEntities } = useStarredEntities();
  const entityRefs = [...starredEntities].sort();
  const entities = useLoaded(async () => {
    if (entityRefs.length === 0) {
      return [];
    }
    const { items } = await catalogApi.getEntitiesByRefs({ entityRefs });
    return items.filter((item): item is Entity => item !== undefined);
  }, [catalogApi, entityRefs.join()]);

  return (
    <EntityCard
      name="starred"
      entities={entities}
      nextStep={{ label: t('home.starred.browse'), href: '/catalog' }}
    />
  );
}
