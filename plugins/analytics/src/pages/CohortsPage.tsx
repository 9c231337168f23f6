import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { QueryTable } from '@slipway/app-react';
import {
  type DataColumn,
  EmptyState,
  FilterBar,
  ListAndPanel,
  RelativeTime,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import type { Cohort } from '../api/CohortsApi';
import { CohortDialog } from '../cohorts/CohortDialog';
import { CohortPanel } from '../cohorts/CohortPanel';
import { useCohorts } from '../cohorts/cohortQueries';
import { VisiblePeople } from '../people/VisiblePeople';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef, type Translate } from '../translation';
import { HeaderAction } from './HeaderAction';
import styles from '../analytics.module.css';

/** Lists the saved groups of users of a project; the URL identifies the open one. */
export function CohortsPage() {
  return (
    <VisiblePeople>
      {projectId => <Cohorts projectId={projectId} />}
    </VisiblePeople>
  );
}

function Cohorts({ projectId }: { projectId: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const filters = useUrlFilters({ search: '' });
  const selection = useUrlFilters({ cohort: '' }, { addsHistory: true });
  const query = useCohorts(project);
  const [isCreating, setIsCreating] = useState(false);
  const [edited, setEdited] = useState<Cohort>();
  const { data: cohorts = [] } = query;
  const isEmpty = query.data?.length === 0;
  const search = filters.values.search.trim().toLowerCase();
  const isShown = ({ name, description }: Cohort) =>
    `${name}\n${description}`.toLowerCase().includes(search);
  const opened = cohorts.find(({ id }) => `${id}` === selection.values.cohort);
  const open = (id: number) => selection.set('cohort', String(id));
  const create = (
    <Button size="small" variant="primary" onPress={() => setIsCreating(true)}>
      {t('cohorts.create')}
    </Button>
  );
  return (
    <div className={styles.stack}>
      {!isEmpty && (
        <>
          <HeaderAction>{create}</HeaderAction>
          <FilterBar
            filters={filters}
            search={{ key: 'search', label: t('cohorts.search') }}
            count={
              query.data && {
                shown: cohorts.filter(isShown).length,
                total: cohorts.length,
                noun: [t('cohorts.nounOne'), t('cohorts.nounMany')],
              }
            }
          />
        </>
      )}
      <ListAndPanel
        panel={
          opened && (
            <CohortPanel
              key={opened.id}
              projectId={projectId}
              cohort={opened}
              onEdit={() => setEdited(opened)}
              onDuplicated={open}
              onClose={() => selection.set('cohort', '')}
            />
          )
        }
      >
        <QueryTable
          label={t('cohorts.title')}
          query={query}
          rowsOf={all => all.filter(isShown)}
          rowId={({ id }) => String(id)}
          selectedId={selection.values.cohort}
          onOpen={id => selection.set('cohort', id)}
          columns={columnsOf(t)}
          sort={useUrlSort(['name', 'updated'])}
          loading={t('cohorts.loading')}
          failed={t('cohorts.failed')}
          empty={
            isEmpty ? (
              <EmptyState
                title={t('cohorts.emptyTitle')}
                description={t('cohorts.emptyDescription')}
                action={create}
              />
            ) : (
              <p role="status">{t('cohorts.none')}</p>
            )
          }
        />
      </ListAndPanel>
      {isCreating && (
        <CohortDialog
          projectId={projectId}
          onSaved={open}
          onClose={() => setIsCreating(false)}
        />
      )}
      {edited && (
        <CohortDialog
          projectId={projectId}
          over={edited}
          onSaved={open}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}

function columnsOf(t: Translate): DataColumn<Cohort>[] {
  return [
    {
      id: 'name',
      label: t('cohorts.name'),
      text: ({ name }) => name,
      sortBy: ({ name }) => name,
      cell: ({ name }) => name,
    },
    {
      id: 'description',
      label: t('cohorts.description'),
      from: 'md',
      beside: false,
      text: ({ description }) => description,
      cell: ({ description }) => description,
    },
    {
      id: 'type',
      label: t('cohorts.type'),
      from: 'sm',
      width: 120,
      cell: ({ is_static: isList }) =>
        t(`cohorts.types.${isList ? 'list' : 'conditions'}`),
    },
    {
      id: 'updated',
      label: t('cohorts.updated'),
      width: 132,
      sortBy: ({ updated_at: updatedAt }) => Date.parse(updatedAt),
      cell: ({ updated_at: updatedAt }) => <RelativeTime value={updatedAt} />,
    },
  ];
}
