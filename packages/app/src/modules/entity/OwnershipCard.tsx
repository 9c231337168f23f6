import { useMemo, useState } from 'react';
import { type Entity, stringifyEntityRef } from '@backstage/catalog-model';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  useEntity,
  useEntityPresentation,
  useEntityRefLink,
} from '@backstage/plugin-catalog-react';
import { Link, Switch } from '@backstage/ui';
import type { DataColumn } from '@slipway/design-system';
import { describeKind } from '../../entities/describeKind';
import { EntityLinks } from '../../entities/EntityLinks';
import { useLoaded } from '../../entities/useLoaded';
import { appTranslationRef } from '../../translation';
import { type EntityRow, nameOf, toRow } from '../catalog/entityFacts';
import { ownedEntities } from './ownedEntities';
import { RelationList } from './RelationList';
import { entityTranslationRef } from './translation';
import styles from './RelatedEntities.module.css';

/** Props of {@link OwnershipCard}, as the extension is configured. */
interface OwnershipCardProps {
  /** Kinds of entities to list. */
  kinds: readonly string[];
  /** `aggregated`, the default for users only, initially includes what is owned through groups. */
  aggregation?: 'direct' | 'aggregated';
  /** False to hide the switch. */
  hasSwitch?: boolean;
}

/** Lists the entities that a user or group owns, directly or through groups. */
export function OwnershipCard(props: OwnershipCardProps) {
  const { kinds, aggregation, hasSwitch = true } = props;
  const { t } = useTranslationRef(entityTranslationRef);
  const { entity } = useEntity();
  const isUser = entity.kind === 'User';
  const [isIndirect, setIndirect] = useState(
    aggregation ? aggregation === 'aggregated' : isUser,
  );
  const owned = useOwned(entity, { kinds, isIndirect });
  const { primaryTitle: name } = useEntityPresentation(entity);
  return (
    <RelationList
      title={t('owned.title')}
      action={
        hasSwitch && (
          <Switch
            label={t(isUser ? 'owned.groups' : 'owned.subgroups')}
            isSelected={isIndirect}
            onChange={setIndirect}
          />
        )
      }
      related={owned}
      columns={useColumns(isIndirect)}
      loading={t('owned.loading', { name })}
      failed={t('owned.failed', { name })}
      empty={{
        title: t('owned.emptyTitle'),
        text: t('owned.emptyText'),
        code: `owner: ${stringifyEntityRef(entity)}`,
      }}
    />
  );
}

function useOwned(
  entity: Entity,
  { kinds, isIndirect }: { kinds: readonly string[]; isIndirect: boolean },
) {
  const catalogApi = useApi(catalogApiRef);
  return useLoaded(
    async () =>
      (await ownedEntities(catalogApi, entity, { kinds, isIndirect }))
        .map(toRow)
        .sort((one, other) => one.name.localeCompare(other.name)),
    [catalogApi, stringifyEntityRef(entity), kinds.join(), isIndirect],
  );
}

function useColumns(isIndirect: boolean): DataColumn<EntityRow>[] {
  const { t } = useTranslationRef(entityTranslationRef);
  const { t: ofCatalog } = useTranslationRef(appTranslationRef);
  return useMemo(
    () => [
      {
        id: 'name',
        label: ofCatalog('catalog.columns.name'),
        text: row => row.name,
        sortBy: row => row.name,
        cell: (row, { isNarrow }) => <NameCell row={row} isNarrow={isNarrow} />,
      },
      {
        id: 'kind',
        label: t('owned.kind'),
        width: '30%',
        from: 'sm',
        sortBy: row => describeKind(row.entity),
        cell: row => describeKind(row.entity),
      },
      ...(isIndirect
        ? [
            {
              id: 'owner',
              label: ofCatalog('catalog.columns.owner'),
              width: '22%',
              from: 'sm' as const,
              sortBy: (row: EntityRow) => row.owners.map(nameOf).join(', '),
              cell: (row: EntityRow) => <EntityLinks refs={row.owners} />,
            },
          ]
        : []),
      {
        id: 'system',
        label: ofCatalog('catalog.columns.system'),
        width: '22%',
        from: 'sm',
        sortBy: row => row.systems.map(nameOf).join(', ') || null,
        cell: row => <EntityLinks refs={row.systems} />,
      },
    ],
    [t, ofCatalog, isIndirect],
  );
}

function NameCell({ row, isNarrow }: { row: EntityRow; isNarrow: boolean }) {
  const linkTo = useEntityRefLink();
  return (
    <div className={styles.name}>
      <Link href={linkTo(row.ref)} title={row.ref}>
        {row.name}
      </Link>
      {isNarrow && <span>{describeKind(row.entity)}</span>}
    </div>
  );
}
