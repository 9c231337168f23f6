import { useMemo } from 'react';
import {
  type Entity,
  RELATION_API_CONSUMED_BY,
  RELATION_API_PROVIDED_BY,
  RELATION_CONSUMES_API,
  RELATION_DEPENDS_ON,
  RELATION_HAS_PART,
  RELATION_PROVIDES_API,
} from '@backstage/catalog-model';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  useEntity,
  useEntityRefLink,
} from '@backstage/plugin-catalog-react';
import { ButtonLink } from '@backstage/ui';
import { RiBracesLine } from '@remixicon/react';
import type { DataColumn } from '@slipway/design-system';
import { relatedRefs } from '../../entities/relatedRefs';
import { useLoaded } from '../../entities/useLoaded';
import { appTranslationRef } from '../../translation';
import { entityColumns } from '../catalog/entityColumns';
import { type EntityRow, toRow } from '../catalog/entityFacts';
import { RelationList } from './RelationList';
import { entityTranslationRef } from './translation';
import styles from './RelatedEntities.module.css';

/** A relation of an entity, and the lines of a descriptor that declare it. */
interface Relation {
  relation: string;
  /** The kind of the other entities, in lower case; any if undefined. */
  kind?: string;
  code: string;
}

/** The relations that cards list, each with texts of the same name in the translation. */
const RELATIONS = {
  providedApis: {
    relation: RELATION_PROVIDES_API,
    kind: 'api',
    code: 'spec:\n  providesApis: [name-of-the-api]',
  },
  consumedApis: {
    relation: RELATION_CONSUMES_API,
    kind: 'api',
    code: 'spec:\n  consumesApis: [name-of-the-api]',
  },
  apis: {
    relation: RELATION_HAS_PART,
    kind: 'api',
    code: 'spec:\n  system: name-of-the-system',
  },
  providers: {
    relation: RELATION_API_PROVIDED_BY,
    code: 'spec:\n  providesApis: [name-of-the-api]',
  },
  consumers: {
    relation: RELATION_API_CONSUMED_BY,
    code: 'spec:\n  consumesApis: [name-of-the-api]',
  },
  neededComponents: {
    relation: RELATION_DEPENDS_ON,
    kind: 'component',
    code: 'spec:\n  dependsOn: [component:name-of-the-component]',
  },
  neededResources: {
    relation: RELATION_DEPENDS_ON,
    kind: 'resource',
    code: 'spec:\n  dependsOn: [resource:name-of-the-resource]',
  },
  components: {
    relation: RELATION_HAS_PART,
    kind: 'component',
    code: 'spec:\n  system: name-of-the-system',
  },
  resources: {
    relation: RELATION_HAS_PART,
    kind: 'resource',
    code: 'spec:\n  system: name-of-the-system',
  },
  subcomponents: {
    relation: RELATION_HAS_PART,
    kind: 'component',
    code: 'spec:\n  subcomponentOf: name-of-the-component',
  },
  subdomains: {
    relation: RELATION_HAS_PART,
    kind: 'domain',
    code: 'spec:\n  subdomainOf: name-of-the-domain',
  },
  systems: {
    relation: RELATION_HAS_PART,
    kind: 'system',
    code: 'spec:\n  domain: name-of-the-domain',
  },
} satisfies { [name: string]: Relation };

/** Name of a relation that {@link RelatedCard} lists. */
export type RelationName = keyof typeof RELATIONS;

/** Lists the APIs that a component provides, and those that it consumes. */
export function ApisContent() {
  return (
    <div className={styles.panels}>
      <RelatedCard name="providedApis" />
      <RelatedCard name="consumedApis" />
    </div>
  );
}

/** Lists the entities to which the entity of the page has a relation. */
export function RelatedCard({ name }: { name: RelationName }) {
  const { t } = useTranslationRef(entityTranslationRef);
  const relation: Relation = RELATIONS[name];
  const { entity } = useEntity();
  const title = t(`related.${name}`);
  const refs = relatedRefs(entity, relation.relation, {
    kind: relation.kind,
  });
  const related = useRelated(refs);
  const needless = needlessColumns(
    entity,
    related.state === 'ready' ? related.value : [],
  );
  return (
    <RelationList
      title={title}
      related={related}
      expected={refs.length || undefined}
      columns={useColumns(relation, needless)}
      loading={t('related.loading', { title })}
      failed={t('related.failed', { title })}
      empty={{
        title: t(`related.${name}Empty`),
        text: t(`related.${name}Text`),
        code: relation.code,
      }}
    />
  );
}

/** Loads entities; omits those that are hidden or gone. */
function useRelated(entityRefs: string[]) {
  const catalogApi = useApi(catalogApiRef);
  return useLoaded(async () => {
    const { items } =
      entityRefs.length > 0
        ? await catalogApi.getEntitiesByRefs({ entityRefs })
        : { items: [] };
    return items.flatMap(item => (item ? [toRow(item)] : []));
  }, [catalogApi, entityRefs.join()]);
}

/** Returns the ids of columns that are empty, or have the same value in each row. */
function needlessColumns(
  { kind }: Entity,
  rows: readonly EntityRow[],
): string[] {
  return [
    ...(kind === 'System' || !rows.some(({ systems }) => systems.length > 0)
      ? ['system']
      : []),
    ...(rows.some(({ type }) => type) ? [] : ['type']),
    ...(rows.some(({ lifecycle }) => lifecycle) ? [] : ['lifecycle']),
  ];
}

function useColumns(
  relation: Relation,
  needless: readonly string[],
): DataColumn<EntityRow>[] {
  const { t } = useTranslationRef(entityTranslationRef);
  const { t: ofCatalog } = useTranslationRef(appTranslationRef);
  return useMemo(() => {
    const columns = entityColumns(ofCatalog).filter(
      ({ id, isExtra }) => !isExtra && !needless.includes(id),
    );
    return relation.kind === 'api'
      ? [
          ...columns.slice(0, -1),
          {
            id: 'definition',
            label: t('related.definitionColumn'),
            hidesLabel: true,
            width: 56,
            cell: row => <DefinitionLink row={row} />,
          },
          ...columns.slice(-1),
        ]
      : columns;
    // A new list with the same ids is the same.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [t, ofCatalog, relation, needless.join()]);
}

function DefinitionLink({ row }: { row: EntityRow }) {
  const { t } = useTranslationRef(entityTranslationRef);
  const linkTo = useEntityRefLink();
  return (
    <ButtonLink
      size="small"
      variant="tertiary"
      href={`${linkTo(row.ref)}/definition`}
      aria-label={t('related.definition', { name: row.name })}
    >
      <RiBracesLine size={16} />
    </ButtonLink>
  );
}
