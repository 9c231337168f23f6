import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link } from '@backstage/ui';
import { RiPlayLine } from '@remixicon/react';
import {
  type ListOfComponents,
  type PageFrameProps,
  QueryTable,
  SavedViews,
} from '@slipway/app-react';
import {
  type DataColumn,
  EmptyState,
  FilterBar,
  Page,
  PageHeader,
  RelativeTime,
  StatusBadge,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import type { JobSummary } from '../api/BuildsApi';
import { isRunnable } from '../api/types';
import {
  BuildDuration,
  IsolationWarning,
  KeptMark,
  ResultBadge,
  RESULTS,
} from '../components/BuildState';
import { JobName } from '../components/JobName';
import { useJobs } from '../queries';
import { useLinks } from '../routes';
import { RunDialog } from '../run/RunDialog';
import { buildsTranslationRef, type Translate } from '../translation';
import { QueuePanel } from './QueuePanel';
import styles from './JobsPage.module.css';

/** Header above the tabs, with the warning that applies to all builds. */
export function BuildsFrame({ children, ...header }: PageFrameProps) {
  const { t } = useTranslationRef(buildsTranslationRef);
  return (
    <Page
      header={<PageHeader {...header} description={t('page.description')} />}
    >
      <IsolationWarning />
      {children}
    </Page>
  );
}

/** Minimal example of a job file. */
const FIRST_JOB = `name: hello
steps:
  - name: Say hello
    run: echo Hello`;

/**
 * Lists every job with its last result, and the queue.
 *
 * @param props.within - narrows the list to the jobs of some components, without the queue.
 */
export function JobsPage(props: { within?: ListOfComponents<JobSummary> }) {
  const { within } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  const query = useJobs();
  const data = query.data?.filter(job => within?.includes(job) ?? true);
  const filters = useUrlFilters({ q: '', result: '' });
  const shown = data?.filter(job => isShown(job, filters.values)) ?? [];
  // Not kept in the row, which the filters may hide once its build runs.
  const [asked, setAsked] = useState<JobSummary>();
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('jobs.search') }}
        selects={[
          {
            key: 'result',
            label: t('jobs.result'),
            anyLabel: t('jobs.anyResult'),
            options: [
              ...RESULTS.map(value => ({ value, label: t(`result.${value}`) })),
              { value: 'running', label: t('result.running') },
            ],
          },
        ]}
        count={
          data && {
            shown: shown.length,
            total: data.length,
            noun: [t('jobs.nounOne'), t('jobs.nounMany')],
          }
        }
      >
        {!within && <SavedViews list="jobs" />}
      </FilterBar>
      {data && !within && <QueuePanel jobs={data} />}
      <QueryTable
        label={t('jobs.label')}
        query={query}
        rowsOf={() => shown}
        failed={t('jobs.failed')}
        rowId={({ name }) => name}
        columns={columnsOf(t, {
          links,
          parents: new Set(data?.map(({ parent }) => parent)),
          component: within?.column,
          onRun: setAsked,
        })}
        sort={useUrlSort(['job', 'component', 'last', 'duration'])}
        columnChoice={useUrlColumns()}
        exportAs="jobs"
        loading={t('jobs.loading')}
        empty={
          <EmptyState
            title={t(data?.length === 0 ? 'jobs.emptyTitle' : 'jobs.noneTitle')}
            description={t(
              data?.length === 0
                ? 'jobs.emptyDescription'
                : 'jobs.noneDescription',
            )}
            code={data?.length === 0 ? FIRST_JOB : undefined}
          />
        }
      />
      {asked && <RunDialog job={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/**
 * Returns the text that describes a job: the title of a pull request, since all branches of a
 * repository share a description.
 */
function textOf({ pullRequestTitle, description }: JobSummary): string | null {
  return pullRequestTitle ?? description;
}

function isShown(
  job: JobSummary,
  { q, result }: { q: string; result: string },
): boolean {
  const { name, lastBuild } = job;
  const text = `${name} ${textOf(job) ?? ''}`.toLowerCase();
  const state = lastBuild?.building ? 'running' : lastBuild?.result;
  return (
    text.includes(q.trim().toLowerCase()) && (result === '' || state === result)
  );
}

/** Columns of the table of jobs; name and description take the remaining width. */
function columnsOf(
  t: Translate,
  options: {
    links: ReturnType<typeof useLinks>;
    /** Names of the jobs whose branches have jobs of their own. */
    parents: ReadonlySet<string | null>;
    component?: DataColumn<JobSummary>;
    onRun(job: JobSummary): void;
  },
): DataColumn<JobSummary>[] {
  const { links, parents, component, onRun } = options;
  return [
    {
      id: 'job',
      label: t('jobs.job'),
      text: ({ name }) => name,
      sortBy: ({ name }) => name,
      cell: (job, { isNarrow }) => (
        <>
          <JobName job={job} text={textOf(job)} />
          {isNarrow && <Unrunnable job={job} />}
        </>
      ),
    },
    ...(component ? [component] : []),
    {
      id: 'result',
      label: t('jobs.result'),
      width: 112,
      csv: ({ lastBuild }) => lastBuild?.result,
      // The branches of a repository are built instead of its job.
      cell: ({ name, lastBuild, skipped }) =>
        (lastBuild || !parents.has(name)) && (
          <ResultBadge build={lastBuild} isSkipped={skipped !== null} />
        ),
    },
    {
      id: 'last',
      label: t('jobs.last'),
      width: 190,
      from: 'sm',
      sortBy: ({ lastBuild }) => lastBuild?.timestamp,
      csv: ({ lastBuild }) =>
        lastBuild && new Date(lastBuild.timestamp).toISOString(),
      cell: ({ name, lastBuild }) =>
        lastBuild && (
          <span className={styles.last}>
            <Link href={links.build(name, lastBuild.number)}>
              #{lastBuild.number}
            </Link>
            <KeptMark build={lastBuild} />
            <RelativeTime value={lastBuild.timestamp} />
          </span>
        ),
    },
    {
      id: 'duration',
      label: t('jobs.duration'),
      width: 120,
      isNumber: true,
      from: 'md',
      // Milliseconds.
      sortBy: ({ lastBuild }) => lastBuild?.elapsed,
      cell: ({ lastBuild }) => lastBuild && <BuildDuration build={lastBuild} />,
    },
    {
      id: 'recent',
      label: t('jobs.recent'),
      width: 130,
      from: 'lg',
      cell: job => <RecentBuilds job={job} />,
    },
    {
      id: 'run',
      label: t('jobs.run'),
      hidesLabel: true,
      width: 112,
      // On phones, names need the room; the page of a job also has the button.
      from: 'sm',
      cell: job => (
        <>
          <Unrunnable job={job} />
          {isRunnable(job) && (
            <Button
              variant="tertiary"
              iconStart={<RiPlayLine />}
              aria-label={t('jobs.runJob', { job: job.name })}
              onPress={() => onRun(job)}
            >
              {t('jobs.run')}
            </Button>
          )}
        </>
      ),
    },
  ];
}

/** Says that a job cannot be run. */
function Unrunnable({ job }: { job: JobSummary }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  if (job.faults.length > 0) {
    return <StatusBadge tone="danger" label={t('jobs.faulty')} />;
  }
  return (
    job.disabledBy !== null && (
      <StatusBadge tone="neutral" label={t('jobs.disabled')} />
    )
  );
}

const HEIGHT_PX = 20;
const LEAST_PX = 4;

/**
 * Bar chart of the last ten builds: height is the duration, colour and pattern the
 * result.
 */
function RecentBuilds({ job }: { job: JobSummary }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const builds = [...job.recentBuilds].reverse();
  const longest = Math.max(1, ...builds.map(({ elapsed }) => elapsed));
  const words = builds
    .map(
      ({ number, result }) =>
        `#${number} ${t(`result.${result ?? 'running'}`)}`,
    )
    .join(', ');
  return (
    <span
      className={styles.recent}
      role="img"
      aria-label={words || t('jobs.noBuilds')}
      title={words}
    >
      {builds.map(({ number, result, elapsed }) => (
        <span
          key={number}
          data-result={result ?? 'running'}
          style={{
            height: Math.max(LEAST_PX, (elapsed / longest) * HEIGHT_PX),
          }}
        />
      ))}
    </span>
  );
}
