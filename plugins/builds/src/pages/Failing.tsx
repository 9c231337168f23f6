import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { Details, Panel, RelativeTime } from '@slipway/design-system';
import type { BuildSummary, JobDetails } from '../api/BuildsApi';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';
import { compareUrl } from './forgePages';
import styles from './BuildPage.module.css';

/** The failed builds of a job since its last success. */
interface FailedBuilds {
  last: BuildSummary;
  first: BuildSummary;
  count: number;
  /** undefined if none of the listed builds has succeeded. */
  success: BuildSummary | undefined;
}

/**
 * Finds the failed builds of a job since its last success. Aborted builds are skipped, because they
 * say nothing about the code.
 *
 * @param builds - newest first.
 * @param upTo - number of the newest build to look at.
 * @returns undefined if the newest build did not fail.
 */
function failedSince(
  builds: readonly BuildSummary[],
  upTo = Infinity,
): FailedBuilds | undefined {
  const judged = builds.filter(
    ({ number, result }) =>
      number <= upTo && result !== null && result !== 'ABORTED',
  );
  const end = judged.findIndex(({ result }) => result === 'SUCCESS');
  const failed = end < 0 ? judged : judged.slice(0, end);
  const [last] = failed;
  return (
    last && {
      ...{ last, first: failed[failed.length - 1] },
      ...{ count: failed.length, success: judged[end] },
    }
  );
}

/**
 * Shows why a job is failing, since which build, and what has changed since its last success; renders
 * nothing if it is not failing.
 *
 * @param props.upTo - number of the build on whose page this is shown, where the reason is
 * omitted because the page already shows it; by default, the newest build.
 */
export function Failing(props: {
  job: Pick<JobDetails, 'name' | 'builds'>;
  repository: string | null | undefined;
  upTo?: number;
}) {
  const { job, repository, upTo } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const failed = failedSince(job.builds, upTo);
  if (!failed) {
    return null;
  }
  const { last, first, count, success } = failed;
  const builds = t('failing.count', { count });
  const changes = changesBetween([success, last], repository);
  return (
    <Panel title={t('failing.title')}>
      <Details
        items={[
          ...(upTo === undefined
            ? [
                {
                  label: t('failing.last'),
                  value: <At job={job.name} build={last} note={last.reason} />,
                },
              ]
            : []),
          // Without a success, the job may have been failing since before the listed builds.
          ...(success
            ? [
                {
                  label: t('failing.since'),
                  value: <At job={job.name} build={first} note={builds} />,
                },
              ]
            : []),
          {
            label: t('failing.success'),
            value: success ? (
              <At job={job.name} build={success} />
            ) : (
              t('failing.never', { count })
            ),
          },
          ...(changes
            ? [
                {
                  label: t('failing.changes'),
                  value: (
                    <Link href={changes.url} target="_blank" rel="noreferrer">
                      <code>{changes.text}</code>
                    </Link>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

/** Shows a build by number and time, and a note about it. */
function At(props: { job: string; build: BuildSummary; note?: string | null }) {
  const { job, build, note } = props;
  const links = useLinks();
  return (
    <>
      <Link href={links.build(job, build.number)}>#{build.number}</Link>{' '}
      <RelativeTime value={build.timestamp} />
      {note && <span className={styles.reason}>{note}</span>}
    </>
  );
}

/**
 * Returns the page of the changes from the commit of one build to that of another at the forge;
 * undefined if there is none.
 */
function changesBetween(
  [older, newer]: readonly [BuildSummary | undefined, BuildSummary],
  repository: string | null | undefined,
): { url: string; text: string } | undefined {
  const [from, to] = [older?.revision, newer.revision];
  if (!from || !to || from === to) {
    return undefined;
  }
  const url = compareUrl(repository, { from, to });
  return url === undefined
    ? undefined
    : { url, text: `${from.slice(0, 10)}…${to.slice(0, 10)}` };
}
