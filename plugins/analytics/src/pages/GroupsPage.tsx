import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Loaded, QueryTable } from '@slipway/app-react';
import {
  type DataColumn,
  EmptyState,
  FilterBar,
  ListAndPanel,
  LoadingRows,
  RelativeTime,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import { Select } from '@backstage/ui';
import type { Group, GroupType } from '../api/PeopleApi';
import { GroupPanel } from '../people/GroupPanel';
import { groupName } from './displayText';
import { VisiblePeople } from '../people/VisiblePeople';
import { useGroups, useGroupTypes } from '../peopleQueries';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef, type Translate } from '../translation';
import styles from '../analytics.module.css';

/** Lists the groups of a project, such as companies; the URL identifies the open one. */
export function GroupsPage() {
  return (
    <VisiblePeople>
      {(projectId, mayDelete) => (
        <GroupsOf projectId={projectId} mayDelete={mayDelete} />
      )}
    </VisiblePeople>
  );
}

function GroupsOf(props: { projectId: string; mayDelete: boolean }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const types = useGroupTypes(useProject().project);
  return (
    <Loaded
      query={types}
      failed={t('groups.failed')}
      loading={<LoadingRows label={t('groups.loading')} rows={6} />}
    >
      {found =>
        found.length === 0 ? (
          <EmptyState
            title={t('groups.emptyTitle')}
            description={t('groups.emptyDescription')}
          />
        ) : (
          <GroupList {...props} types={found} />
        )
      }
    </Loaded>
  );
}

function GroupList(props: {
  projectId: string;
  mayDelete: boolean;
  types: readonly GroupType[];
}) {
  const { projectId, mayDelete, types } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const filters = useUrlFilters({ search: '' });
  const selection = useUrlFilters(
    { type: '', group: '' },
    { addsHistory: true },
  );
  const { search } = filters.values;
  const type =
    types.find(({ name }) => name === selection.values.type)?.name ??
    types[0].name;
  // A group of another type stays in the address, but is not shown.
  const prefix = `${type}:`;
  const { group } = selection.values;
  const opened = group.startsWith(prefix) ? group.slice(prefix.length) : '';
  const query = useGroups(projectId, type, search);
  const { data } = query;
  return (
    <div className={styles.stack}>
      <FilterBar
        filters={filters}
        search={{ key: 'search', label: t('groups.search') }}
        count={
          data && {
            shown: data.groups.length,
            total: data.groups.length,
            noun: [t('groups.nounOne'), t('groups.nounMany')],
          }
        }
      >
        <Select
          className={styles.filter}
          size="small"
          aria-label={t('groups.type')}
          value={type}
          onChange={name => selection.set('type', String(name))}
          options={types.map(({ name, index }) => ({
            value: name,
            label: t('groups.typeName', { name, index: String(index) }),
          }))}
        />
      </FilterBar>
      <ListAndPanel
        panel={
          opened && (
            <GroupPanel
              projectId={projectId}
              group={{ type, key: opened }}
              mayDelete={mayDelete}
              onClose={() => selection.set('group', '')}
            />
          )
        }
      >
        <QueryTable
          tellsOutdated
          label={t('groups.title')}
          query={query}
          rowsOf={({ groups }) => groups}
          rowId={({ key }) => key}
          selectedId={opened}
          onOpen={key => selection.set('group', prefix + key)}
          columns={columnsOf(t)}
          sort={useUrlSort(['name', 'key', 'seen'])}
          columnChoice={useUrlColumns()}
          exportAs={`groups-${type}`}
          loading={t('groups.loading')}
          failed={t('groups.failed')}
          empty={<p role="status">{t('groups.none')}</p>}
        />
        {data?.has_more && (
          <p className={styles.text}>
            {t('groups.more', { shown: String(data.groups.length) })}
          </p>
        )}
      </ListAndPanel>
    </div>
  );
}

function columnsOf(t: Translate): DataColumn<Group>[] {
  return [
    {
      id: 'name',
      label: t('groups.name'),
      text: groupName,
      sortBy: groupName,
      cell: groupName,
    },
    {
      id: 'key',
      label: t('groups.key'),
      from: 'sm',
      sortBy: ({ key }) => key,
      cell: ({ key }) => <span className={styles.value}>{key}</span>,
    },
    {
      id: 'seen',
      label: t('people.firstSeen'),
      csv: ({ created_at: createdAt }) => createdAt,
      sortBy: ({ created_at: createdAt }) => Date.parse(createdAt),
      cell: ({ created_at: createdAt }) => <RelativeTime value={createdAt} />,
    },
  ];
}
