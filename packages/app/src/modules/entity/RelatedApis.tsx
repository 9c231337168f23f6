import { useMemo, useState } from 'react';
import {
  type Entity,
  RELATION_CONSUMES_API,
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
import { useErrorWords } from '@slipway/app-react';
import {
  type DataColumn,
  DataTable,
  EmptyState,
  ErrorPanel,
  Panel,
  type SortOrder,
} from '@slipway/design-system';
import { useLoaded } from '../../entities/useLoaded';
import { appTranslationRef } from '../../translation';
import { entityColumns } from '../catalog/entityColumns';
import { type EntityRow, toRow } from '../catalog/entityFacts';
import { entityTranslationRef } from './translation';
import styles from './RelatedEntities.module.css';

/** The relations between components and APIs. */
const RELATIONS = {
  providedApis: {
    relation: RELATION_PROVIDES_API,
    code: 'spec:\n  providesApis: [name-of-the-api]',
  },
  consumedApis: {
    relation: RELATION_CONSUMES_API,
    code: 'spec:\n  consumesApis: [name-of-the-api]',
  },
} as const;

/** Lists the APIs that a component provides, and those that it consumes. */
export function ApisContent() {
  return (
    <div className={styles.panels}>
      <RelatedApis name="providedApis" />
      <RelatedApis name="consumedApis" />
    </div>
  );
}

/** Lists the APIs that a component provides or consumes. */
export function RelatedApis({ name }: { name: keyof typeof RELATIONS }) {
  const { t } = useTranslationRef(entityTranslationRef);
  const errorWords = useErrorWords();
  const { relation, code } = RELATIONS[name];
  const related = useRelated(useEntity().entity, relation);
  const [order, setOrder] = useState<SortOrder>();
  const title = t(`related.${name}`);
  return (
    <Panel title={title} padded={false}>
      <DataTable
        isPlain
        label={title}
        columns={useColumns()}
        rows={related.state === 'ready' ? related.value : undefined}
        rowId={row => row.ref}
        sort={{ order, setOrder }}
        loading={t('related.loading', { title })}
        failure={
          related.state === 'failed' && (
            <ErrorPanel
              title={t('related.failed', { title })}
              message={errorWords(related.error)}
              onRetry={related.retry}
            />
          )
        }
        empty={
          <EmptyState
            level={3}
            title={t(`related.${name}Empty`)}
            description={t(`related.${name}Text`)}
            code={code}
          />
        }
      />
    </Panel>
  );
}

/** Loads the entities to which an entity has a relation; those that are hidden or gone are missing. */
function useRelated({ relations = [] }: Entity, type: string) {
  const catalogApi = useApi(catalogApiRef);
  const entityRefs = relations
    .filter(relation => relation.type === type)
    .map(({ targetRef }) => targetRef);
  return useLoaded(async () => {
    const { items } =
      entityRefs.length > 0
        ? await catalogApi.getEntitiesByRefs({ entityRefs })
        : { items: [] };
    return items.flatMap(item => (item ? [toRow(item)] : []));
  }, [catalogApi, entityRefs.join()]);
}

function useColumns(): DataColumn<EntityRow>[] {
  const { t } = useTranslationRef(entityTranslationRef);
  const { t: ofCatalog } = useTranslationRef(appTranslationRef);
  return useMemo(() => {
    const columns = entityColumns(ofCatalog).filter(({ isExtra }) => !isExtra);
    return [
      ...columns.slice(0, -1),
      {
        id: 'definition',
        label: t('related.definitionColumn'),
        hidesLabel: true,
        width: 56,
        cell: row => <DefinitionLink row={row} />,
      },
      ...columns.slice(-1),
    ];
  }, [t, ofCatalog]);
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
