import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  type ListOfComponents,
  QueryTable,
  SavedViews,
  useTitles,
} from '@slipway/app-react';
import {
  EmptyState,
  FilterBar,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import type { ListedFlag } from '../api/flags';
import { STAGES } from '../api/lifecycle';
import { FLAG_TYPES } from '../components/FlagState';
import { useBulkFlags } from '../components/useBulkFlags';
import { useFlags } from '../queries/flags';
import { useStages } from '../queries/lifecycle';
import { useAllEnvironments, useProjects } from '../queries/registers';
import { useRecentUsage } from '../queries/usage';
import { useMayChange, useUser } from '../queries/access';
import { useLinks } from '../routes';
import { flagsTranslationRef } from '../translation';
import { filterFlags, STATES, tagsOf } from './filterFlags';
import { ConnectGuide } from './ConnectGuide';
import { flagColumns } from './flagColumns';

/**
 * The list of flags with search, filters, switches and usage. It appears once
 * everything that shapes its rows and filters has loaded, so that nothing on it moves later.
 *
 * @param props.within - narrows the list to the flags of some components.
 */
export function ListPage(props: { within?: ListOfComponents<ListedFlag> }) {
  const { within } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const filters = useUrlFilters({
    q: '',
    type: '',
    state: '',
    project: '',
    tag: '',
    stage: '',
  });
  const links = useLinks();
  const flags = useFlags(filters.values.state === 'archived');
  const usage = useRecentUsage();
  const stages = useStages(filters.values.state === 'archived');
  const allEnvironments = useAllEnvironments();
  const allProjects = useProjects();
  const reader = useUser();
  const isComplete = ![allEnvironments, allProjects, reader].some(
    ({ isPending }) => isPending,
  );
  // Without the stages, no flag would match the filter.
  const needsStages = filters.values.stage !== '' && !stages.data;
  const query = {
    data: isComplete && !needsStages ? flags.data : undefined,
    error: flags.error ?? (needsStages ? stages.error : null),
    refetch: () => Promise.all([flags.refetch(), stages.refetch()]),
  };
  const data = query.data?.filter(flag => within?.includes(flag) ?? true);
  const { data: environments = [] } = allEnvironments;
  const { data: projects = [] } = allProjects;
  const ownerTitle = useTitles(
    projects.flatMap(({ owner }) => owner ?? []),
    { kind: 'group' },
  );
  const { data: user } = reader;
  const mayChange = useMayChange();
  const tags = tagsOf(data ?? []);
  const shown = filterFlags(data ?? [], filters.values, stages.data);
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('list.search') }}
        selects={[
          {
            key: 'type',
            label: t('list.type'),
            anyLabel: t('list.anyType'),
            options: FLAG_TYPES.map(value => ({
              value,
              label: t(`type.${value}`),
            })),
          },
          {
            key: 'state',
            label: t('list.state'),
            anyLabel: t('list.anyState'),
            options: STATES.map(value => ({
              value,
              label: t(`state.${value}`),
            })),
          },
          {
            key: 'stage',
            label: t('list.stage'),
            anyLabel: t('list.anyStage'),
            options: STAGES.filter(value => value !== 'archived').map(
              value => ({ value, label: t(`stage.${value}`) }),
            ),
          },
          // Last, because whether they appear depends on the data: the others keep their places.
          ...(data && projects.length > 1
            ? [
                {
                  key: 'project' as const,
                  label: t('list.project'),
                  anyLabel: t('list.anyProject'),
                  options: projects.map(({ id, name }) => ({
                    value: id,
                    label: name,
                  })),
                },
              ]
            : []),
          ...(tags.length > 0
            ? [
                {
                  key: 'tag' as const,
                  label: t('list.tag'),
                  anyLabel: t('list.anyTag'),
                  options: tags.map(value => ({ value, label: value })),
                },
              ]
            : []),
        ]}
        count={
          data && {
            shown: shown.length,
            total: data.length,
            noun: [t('list.nounOne'), t('list.nounMany')],
          }
        }
      >
        <SavedViews list="flags" />
      </FilterBar>
      <QueryTable
        label={t('list.label')}
        query={query}
        rowsOf={() => shown}
        failed={t('list.failed')}
        rowId={({ name }) => name}
        sort={useUrlSort(['name', 'component', 'type', 'owner', 'updated'])}
        columnChoice={useUrlColumns()}
        exportAs="flags"
        bulk={useBulkFlags()}
        columns={flagColumns(t, {
          links,
          environments,
          usage: usage.data,
          stages: stages.data,
          user,
          projects,
          ownerTitle,
          component: within?.column,
        }).filter(({ id }) => id !== 'usage' || usage.isShown)}
        loading={t('list.loading')}
        empty={
          filters.isActive ? (
            <EmptyState
              title={t('list.noneTitle')}
              description={t('list.noneDescription')}
            />
          ) : (
            <>
              <EmptyState
                title={t('list.emptyTitle')}
                description={t(
                  mayChange ? 'list.emptyDescription' : 'list.emptyForReaders',
                )}
              />
              <ConnectGuide />
            </>
          )
        }
      />
    </>
  );
}
