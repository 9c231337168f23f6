import { useMemo, useState } from 'react';
import {
  type Entity,
  RELATION_MEMBER_OF,
  RELATION_PARENT_OF,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  useEntity,
  useEntityPresentation,
  useEntityRefLink,
} from '@backstage/plugin-catalog-react';
import { Avatar, Link, Switch } from '@backstage/ui';
import type { DataColumn } from '@slipway/design-system';
import { EntityLinks } from '../../entities/EntityLinks';
import { relatedRefs } from '../../entities/relatedRefs';
import { useLoaded } from '../../entities/useLoaded';
import { appTranslationRef } from '../../translation';
import { type EntityRow, toRow } from '../catalog/entityFacts';
import { membersOf } from './ownedEntities';
import { RelationList } from './RelationList';
import { entityTranslationRef } from './translation';
import styles from './RelatedEntities.module.css';

/** Props of {@link MembersCard}, as the extension is configured. */
interface MembersCardProps {
  /** `aggregated` initially includes the members of subgroups. */
  aggregation?: 'direct' | 'aggregated';
  /** True to offer the switch even to a group without subgroups, false to hide it. */
  hasSwitch?: boolean;
}

/** Lists the members of a group, and of the groups below it. */
export function MembersCard({ aggregation, hasSwitch }: MembersCardProps) {
  const { t } = useTranslationRef(entityTranslationRef);
  const { entity } = useEntity();
  const { primaryTitle: name } = useEntityPresentation(entity);
  const [isIndirect, setIndirect] = useState(aggregation === 'aggregated');
  const hasSubgroups = relatedRefs(entity, RELATION_PARENT_OF).length > 0;
  return (
    <RelationList
      title={t('members.title')}
      action={
        (hasSwitch ?? hasSubgroups) && (
          <Switch
            label={t('members.subgroups')}
            isSelected={isIndirect}
            onChange={setIndirect}
          />
        )
      }
      related={useMembers(entity, isIndirect)}
      columns={useColumns(isIndirect)}
      loading={t('members.loading', { name })}
      failed={t('members.failed', { name })}
      empty={{
        title: t('members.emptyTitle'),
        text: t('members.emptyText'),
        code: `spec:\n  memberOf: [${stringifyEntityRef(entity)}]`,
      }}
    />
  );
}

function useMembers(group: Entity, isIndirect: boolean) {
  const catalogApi = useApi(catalogApiRef);
  return useLoaded(
    async () =>
      (await membersOf(catalogApi, group, isIndirect))
        .map(toRow)
        .sort((one, other) => one.name.localeCompare(other.name)),
    [catalogApi, stringifyEntityRef(group), isIndirect],
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
        cell: (row, { isNarrow }) => (
          <MemberCell row={row} isNarrow={isNarrow} />
        ),
      },
      {
        id: 'email',
        label: t('members.email'),
        width: isIndirect ? '34%' : '50%',
        from: 'sm',
        sortBy: row => profileOf(row).email ?? null,
        cell: row => <EmailCell email={profileOf(row).email} />,
      },
      ...(isIndirect
        ? [
            {
              id: 'groups',
              label: t('members.groups'),
              width: '30%',
              from: 'md' as const,
              cell: (row: EntityRow) => (
                <EntityLinks
                  refs={relatedRefs(row.entity, RELATION_MEMBER_OF)}
                />
              ),
            },
          ]
        : []),
    ],
    [t, ofCatalog, isIndirect],
  );
}

function MemberCell({ row, isNarrow }: { row: EntityRow; isNarrow: boolean }) {
  const linkTo = useEntityRefLink();
  const { email, picture = '' } = profileOf(row);
  const detail = isNarrow ? email : row.description;
  return (
    <div className={styles.person}>
      <Avatar
        src={picture}
        name={row.name}
        size="x-small"
        purpose="decoration"
      />
      <div className={styles.name}>
        <Link href={linkTo(row.ref)} title={row.ref}>
          {row.name}
        </Link>
        {detail && <span title={detail}>{detail}</span>}
      </div>
    </div>
  );
}

function EmailCell({ email }: { email: string | undefined }) {
  return email ? <Link href={`mailto:${email}`}>{email}</Link> : null;
}

/** Reads the profile in a person's descriptor. */
function profileOf({ entity }: EntityRow) {
  const profile = entity.spec?.profile;
  const { email, picture } = (profile ?? {}) as { [key: string]: unknown };
  return {
    email: typeof email === 'string' ? email : undefined,
    picture: typeof picture === 'string' ? picture : undefined,
  };
}
