import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import {
  type ChartPoint,
  DataTable,
  durationScale,
  EmptyState,
  FilterBar,
  formatDuration,
  formatRelative,
  Panel,
  RelativeTime,
  SeriesChart,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import type { BuildSummary, JobDetails } from '../api/BuildsApi';
import {
  BuildDuration,
  KeptMark,
  nameOfBuild,
  ResultBadge,
  RESULTS,
  TONES,
} from '../components/BuildState';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';
import { Failing } from './Failing';
import styles from './BuildHistory.module.css';

/**
 * Shows why a job is failing, if it is, the durations of its builds as a chart, and the builds as
 * a table.
 *
 * @param props.prefix - starts the names of its parameters in the address, for a page with several.
 */
export function BuildHistory(props: { job: JobDetails; prefix?: string }) {
  const { job, prefix = '' } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  if (job.builds.length === 0) {
    return (
      <EmptyState
        title={t('job.emptyTitle')}
        description={t('job.emptyDescription')}
        code={`curl -X POST -u USER:TOKEN ${job.url}build`}
      />
    );
  }
  return (
    <div className={styles.history}>
      <Failing job={job} repository={job.repository} />
      <Panel title={t('job.durations')}>
        <DurationChart job={job} />
      </Panel>
      <BuildsTable job={job} prefix={prefix} />
    </div>
  );
}

/** Lists the builds of a job that match the filters, newest first. */
function BuildsTable({ job, prefix }: { job: JobDetails; prefix: string }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const [q, result] = [`${prefix}q`, `${prefix}result`];
  const kept = `${prefix}kept`;
  const filters = useUrlFilters({ [q]: '', [result]: '', [kept]: '' });
  const { values } = filters;
  const all = withKept(job);
  const shown = all.filter(build =>
    isShown(build, {
      q: values[q],
      result: values[result],
      isKept: values[kept] !== '',
    }),
  );
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: q, label: t('job.searchBuilds') }}
        selects={[
          {
            key: result,
            label: t('job.result'),
            anyLabel: t('jobs.anyResult'),
            options: [
              ...RESULTS.map(value => ({ value, label: t(`result.${value}`) })),
              { value: 'running', label: t('result.running') },
            ],
          },
          {
            key: kept,
            label: t('job.keeping'),
            anyLabel: t('job.keepingAny'),
            options: [{ value: 'yes', label: t('job.keepingOnly') }],
          },
        ]}
        count={{
          shown: shown.length,
          total: all.length,
          noun: [t('job.nounOne'), t('job.nounMany')],
        }}
      />
      <BuildRows job={job.name} builds={shown} prefix={prefix} />
    </>
  );
}

/**
 * Returns the newest builds of a job, and the others that people keep: older ones, and those that
 * were cancelled in the queue.
 */
function withKept({ builds, keptBuilds }: JobDetails): BuildSummary[] {
  const listed = new Set(builds.map(({ number }) => number));
  const others = keptBuilds.filter(({ number }) => !listed.has(number));
  return [...builds, ...others].sort((one, other) => other.number - one.number);
}

function isShown(
  build: BuildSummary,
  wanted: { q: string; result: string; isKept: boolean },
): boolean {
  const { building, result, cause, reason, description, kept } = build;
  const texts = [cause, reason, kept?.reason, nameOfBuild(build), description];
  const text = texts.filter(Boolean).join(' ').toLowerCase();
  const state = building ? 'running' : result;
  return (
    text.includes(wanted.q.trim().toLowerCase()) &&
    (wanted.result === '' || state === wanted.result) &&
    (!wanted.isKept || kept !== null)
  );
}

/** Table of builds; the cause takes the remaining width. */
function BuildRows(props: {
  job: string;
  builds: BuildSummary[];
  prefix: string;
}) {
  const { job, builds, prefix } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  return (
    <DataTable
      label={t('job.history')}
      rows={builds}
      rowId={({ number }) => number}
      sort={useUrlSort(
        ['build', 'started', 'duration'],
        undefined,
        `${prefix}sort`,
      )}
      columnChoice={useUrlColumns(`${prefix}columns`)}
      exportAs={`builds-${job}`}
      empty={
        <EmptyState
          title={t('job.noneTitle')}
          description={t('job.noneDescription')}
        />
      }
      columns={[
        {
          id: 'build',
          label: t('job.build'),
          width: 88,
          text: ({ number }) => `#${number}`,
          sortBy: ({ number }) => number,
          cell: (build, { isNarrow }) => (
            <div className={styles.cause}>
              <div>
                <Link href={links.build(job, build.number)}>
                  #{build.number}
                </Link>
                <KeptMark build={build} />
              </div>
              <Clamped text={nameOfBuild(build)} />
              {isNarrow && (
                <span>
                  <RelativeTime value={build.timestamp} />
                </span>
              )}
            </div>
          ),
        },
        {
          id: 'result',
          label: t('job.result'),
          width: 128,
          csv: ({ result }) => result,
          cell: build => <ResultBadge build={build} />,
        },
        {
          id: 'started',
          label: t('job.started'),
          width: 150,
          from: 'sm',
          csv: ({ timestamp }) => new Date(timestamp).toISOString(),
          sortBy: ({ timestamp }) => timestamp,
          cell: ({ timestamp }) => <RelativeTime value={timestamp} />,
        },
        {
          id: 'duration',
          label: t('job.duration'),
          width: 120,
          isNumber: true,
          from: 'sm',
          // Milliseconds.
          sortBy: ({ elapsed }) => elapsed,
          cell: build => <BuildDuration build={build} />,
        },
        {
          id: 'cause',
          label: t('job.cause'),
          from: 'sm',
          csv: ({ cause, reason, description }) =>
            [cause, reason, description].filter(Boolean).join(': '),
          cell: ({ cause, reason, description }) => (
            <div className={styles.cause}>
              {cause}
              {reason && <span>{reason}</span>}
              <Clamped text={description?.split('\n', 1)[0]} />
            </div>
          ),
        },
      ]}
    />
  );
}

/** Shows at most two lines of what a person wrote. */
function Clamped({ text }: { text: string | undefined }) {
  return text ? (
    <span className={styles.clamped} title={text}>
      {text}
    </span>
  ) : null;
}

const SHOWN = 30;

/** Bar chart of durations, oldest build first; each bar links to its build. */
function DurationChart({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  const points = job.builds
    .slice(0, SHOWN)
    .reverse()
    .map(({ number, elapsed, result, building, timestamp }): ChartPoint => ({
      id: String(number),
      label: t('job.point', { number: String(number) }),
      tick: `#${number}`,
      value: elapsed,
      valueText: formatDuration(elapsed),
      notes: [
        t('job.samples', {
          result: t(`result.${result ?? 'running'}`),
          time: formatRelative(timestamp, Date.now()),
        }),
      ],
      tentative: building,
      ...(result && { tone: TONES[result] }),
      href: links.build(job.name, number),
    }));
  const longest = Math.max(...points.map(({ value }) => value ?? 0));
  const label = t('job.durationsLabel');
  return (
    <SeriesChart
      label={label}
      kind="bar"
      points={points}
      {...durationScale(longest)}
      columns={{
        time: t('job.build'),
        value: t('job.duration'),
        notes: t('job.result'),
      }}
    />
  );
}
