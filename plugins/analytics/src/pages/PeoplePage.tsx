import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { QueryTable } from '@slipway/app-react';
import {
  type DataColumn,
  EmptyState,
  FilterBar,
  formatNumber,
  ListAndPanel,
  Panel,
  RelativeTime,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import type { Person } from '../api/PeopleApi';
import { useCohorts } from '../cohorts/cohortQueries';
import { ActorList } from '../people/ActorList';
import { PersonPanel } from '../people/PersonPanel';
import { personName } from './displayText';
import { VisiblePeople } from '../people/VisiblePeople';
import { useErasures, usePersons } from '../peopleQueries';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef, type Translate } from '../translation';
import styles from '../analytics.module.css';

/** Lists the persons of a project; the URL identifies the open one. */
export function PeoplePage() {
  return (
    <VisiblePeople>
      {(projectId, mayDelete) => (
        <Persons projectId={projectId} mayDelete={mayDelete} />
      )}
    </VisiblePeople>
  );
}

function Persons(props: { projectId: string; mayDelete: boolean }) {
  const { projectId, mayDelete } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const filters = useUrlFilters({ search: '', cohort: '', operator: '' });
  const selection = useUrlFilters({ user: '' }, { addsHistory: true });
  const { search, cohort } = filters.values;
  const { user } = selection.values;
  const query = usePersons(projectId, search);
  const sort = useUrlSort(['name', 'ids', 'seen']);
  const columnChoice = useUrlColumns();
  const { data } = query;
  return (
    <div className={styles.stack}>
      <FilterBar
        filters={filters}
        selects={useCohortSelects(cohort)}
        search={
          cohort ? undefined : { key: 'search', label: t('people.search') }
        }
        count={
          cohort || !data
            ? undefined
            : {
                shown: data.persons.length,
                total: data.persons.length,
                noun: [t('people.nounOne'), t('people.nounMany')],
              }
        }
      />
      {mayDelete && <Deletions projectId={projectId} />}
      <ListAndPanel
        panel={
          user && (
            <PersonPanel
              projectId={projectId}
              distinctId={user}
              mayDelete={mayDelete}
              onClose={() => selection.set('user', '')}
            />
          )
        }
      >
        {cohort ? (
          <PeopleOfCohort
            key={cohort}
            projectId={projectId}
            id={cohort}
            isInverted={filters.values.operator === 'not_in'}
          />
        ) : (
          <QueryTable
            tellsOutdated
            label={t('people.title')}
            query={query}
            rowsOf={({ persons }) => persons}
            rowId={({ id }) => id}
            selectedId={user}
            onOpen={id => selection.set('user', id)}
            columns={columnsOf(t)}
            sort={sort}
            columnChoice={columnChoice}
            exportAs="users"
            loading={t('people.loading')}
            failed={t('people.failed')}
            empty={
              search ? (
                <p role="status">{t('people.none')}</p>
              ) : (
                <EmptyState
                  title={t('people.emptyTitle')}
                  description={t('people.emptyDescription')}
                />
              )
            }
          />
        )}
        {!cohort && data?.has_more && (
          <p className={styles.text}>
            {t('people.more', { shown: String(data.persons.length) })}
          </p>
        )}
      </ListAndPanel>
    </div>
  );
}

/**
 * Returns the selects for a cohort, and for users inside or outside it; none if there are
 * no cohorts.
 */
function useCohortSelects(chosen: string) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { data: cohorts = [] } = useCohorts(useProject().project);
  if (cohorts.length === 0) {
    return [];
  }
  const options = cohorts.map(({ id, name }) => ({
    value: String(id),
    label: name,
  }));
  return [
    {
      key: 'cohort' as const,
      label: t('cohorts.cohort'),
      anyLabel: t('cohorts.anyCohort'),
      options,
    },
    ...(chosen
      ? [
          {
            key: 'operator' as const,
            label: t('testAccounts.operator'),
            anyLabel: t('cohorts.inside'),
            options: [{ value: 'not_in', label: t('cohorts.outside') }],
          },
        ]
      : []),
  ];
}

function PeopleOfCohort(props: {
  projectId: string;
  id: string;
  isInverted: boolean;
}) {
  const { projectId, id, isInverted } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { data: cohorts } = useCohorts(useProject().project);
  const cohort = cohorts?.find(each => String(each.id) === id);
  const operator = isInverted ? 'not_in' : 'in';
  return (
    <ActorList
      key={operator}
      projectId={projectId}
      of={{
        kind: 'filters',
        version: cohort?.version,
        filters: [{ key: 'id', type: 'cohort', value: Number(id), operator }],
      }}
      title={t('people.title')}
    />
  );
}

function columnsOf(t: Translate): DataColumn<Person>[] {
  return [
    {
      id: 'name',
      label: t('people.name'),
      text: personName,
      sortBy: personName,
      cell: personName,
    },
    {
      id: 'identified',
      label: t('people.identified'),
      from: 'sm',
      csv: ({ is_identified: isIdentified }) =>
        t(isIdentified ? 'people.yes' : 'people.anonymous'),
      cell: ({ is_identified: isIdentified }) =>
        t(isIdentified ? 'people.yes' : 'people.anonymous'),
    },
    {
      id: 'ids',
      label: t('people.ids'),
      from: 'sm',
      isNumber: true,
      width: 80,
      sortBy: ({ distinct_ids: ids }) => ids.length,
      cell: ({ distinct_ids: ids }) => formatNumber(ids.length),
    },
    {
      id: 'seen',
      label: t('people.lastSeen'),
      csv: ({ last_seen_at: seenAt }) => seenAt,
      sortBy: ({ last_seen_at: seenAt }) => Date.parse(seenAt),
      cell: ({ last_seen_at: seenAt }) => <RelativeTime value={seenAt} />,
    },
  ];
}

const SHOWN_DELETIONS = 5;

/** Lists deletions in progress and the last completed ones; renders nothing if there are none. */
function Deletions({ projectId }: { projectId: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { data } = useErasures(projectId);
  if (!data || data.length === 0) {
    return null;
  }
  return (
    <Panel title={t('people.deletions')}>
      <ul className={styles.timeline} aria-live="polite">
        {data.slice(0, SHOWN_DELETIONS).map(erasure => (
          <li key={erasure.id}>
            {erasure.done_at ? (
              <>
                {t('people.deleted')} <RelativeTime value={erasure.done_at} />
              </>
            ) : (
              <>
                {t('people.deleting')}{' '}
                <RelativeTime value={erasure.requested_at} />
              </>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
