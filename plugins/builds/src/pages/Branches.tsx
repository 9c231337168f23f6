import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import {
  DataTable,
  EmptyState,
  FilterBar,
  RelativeTime,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import type { JobDetails, JobSummary } from '../api/BuildsApi';
import { BuildDuration, KeptMark, ResultBadge } from '../components/BuildState';
import { JobName } from '../components/JobName';
import { useJobs } from '../queries';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';

const KINDS = ['branch', 'pullRequest'] as const;
/** Sorts pull requests by their numbers. */
const BY_NAME = new Intl.Collator('en', { numeric: true });

/**
 * Lists the branches and pull requests of a job whose pipelines are in its repository; renders
 * nothing if there are none.
 *
 * @param props.prefix - starts the names of its parameters in the address, for a page with several.
 */
export function Branches(props: { job: JobDetails; prefix?: string }) {
  const { job, prefix = '' } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  const { data = [] } = useJobs();
  const [branchKey, kindKey] = [`${prefix}branch`, `${prefix}kind`];
  const filters = useUrlFilters({ [branchKey]: '', [kindKey]: '' });
  const sort = useUrlSort(
    ['name', 'last', 'duration'],
    undefined,
    `${prefix}branchSort`,
  );
  const all = data
    .filter(({ parent }) => parent === job.name)
    .sort((one, other) => BY_NAME.compare(one.name, other.name));
  if (all.length === 0) {
    return null;
  }
  const nameOf = ({ name }: JobSummary) => name.slice(job.name.length + 1);
  const { [branchKey]: branch, [kindKey]: kind } = filters.values;
  const textOf = (one: JobSummary) =>
    `${nameOf(one)} ${one.pullRequestTitle ?? ''}`.toLowerCase();
  const shown = all.filter(
    one =>
      textOf(one).includes(branch.trim().toLowerCase()) &&
      (kind === '' || (kind === 'pullRequest') === (one.pullRequest !== null)),
  );
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: branchKey, label: t('branches.search') }}
        selects={[
          {
            key: kindKey,
            label: t('branches.kind'),
            anyLabel: t('branches.any'),
            options: KINDS.map(value => ({
              value,
              label: t(`branches.${value}`),
            })),
          },
        ]}
        count={{
          shown: shown.length,
          total: all.length,
          noun: [t('branches.nounOne'), t('branches.nounMany')],
        }}
      />
      <DataTable
        label={t('job.branches')}
        rows={shown}
        rowId={({ name }) => name}
        sort={sort}
        exportAs="branches"
        empty={
          <EmptyState
            title={t('branches.noneTitle')}
            description={t('branches.noneDescription')}
          />
        }
        columns={[
          {
            id: 'name',
            label: t('branches.name'),
            text: nameOf,
            sortBy: nameOf,
            cell: one => (
              <JobName
                job={one}
                name={nameOf(one)}
                text={one.pullRequestTitle}
              />
            ),
          },
          {
            id: 'result',
            label: t('jobs.result'),
            width: 128,
            csv: ({ lastBuild }) => lastBuild?.result,
            cell: ({ lastBuild, skipped }) => (
              <ResultBadge build={lastBuild} isSkipped={skipped !== null} />
            ),
          },
          {
            id: 'last',
            label: t('jobs.last'),
            width: 190,
            from: 'sm',
            csv: ({ lastBuild }) =>
              lastBuild && new Date(lastBuild.timestamp).toISOString(),
            sortBy: ({ lastBuild }) => lastBuild?.timestamp,
            cell: ({ name, lastBuild }) =>
              lastBuild && (
                <>
                  <Link href={links.build(name, lastBuild.number)}>
                    #{lastBuild.number}
                  </Link>
                  <KeptMark build={lastBuild} />{' '}
                  <RelativeTime value={lastBuild.timestamp} />
                </>
              ),
          },
          {
            id: 'duration',
            label: t('jobs.duration'),
            width: 120,
            isNumber: true,
            from: 'sm',
            // Milliseconds.
            sortBy: ({ lastBuild }) => lastBuild?.elapsed,
            cell: ({ lastBuild }) =>
              lastBuild && <BuildDuration build={lastBuild} />,
          },
        ]}
      />
    </>
  );
}
