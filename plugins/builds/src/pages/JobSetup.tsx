import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { CodeLine, Details, Panel, RelativeTime } from '@slipway/design-system';
import type { JobDetails } from '../api/BuildsApi';
import { useJobFile } from '../queries';
import { buildsTranslationRef, type Translate } from '../translation';
import styles from './JobSetup.module.css';

/** Shows the configuration of a job. */
export function JobFacts({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { repository, secrets, file, schedule, timeZone, nextRunAt } = job;
  return (
    <Details
      items={[
        ...(repository
          ? [{ label: t('job.repository'), value: repository }]
          : []),
        ...(file ? [{ label: t('job.file'), value: file }] : []),
        ...(job.pipelineFolder
          ? [{ label: t('job.pipelines'), value: job.pipelineFolder }]
          : []),
        ...(schedule.length > 0
          ? [
              {
                label: t('job.schedule'),
                value: (
                  <>
                    <code>{schedule.join(', ')}</code> {timeZone}{' '}
                    {nextRunAt !== null && (
                      <>
                        {t('job.nextRun')} <RelativeTime value={nextRunAt} />
                      </>
                    )}
                  </>
                ),
              },
            ]
          : []),
        { label: t('job.kept'), value: describeKept(job, t) },
        ...(job.keptCount > 0
          ? [
              {
                label: t('job.marked'),
                value: t('job.markedOf', {
                  kept: String(job.keptCount),
                  most: String(job.maxKeptBuilds),
                }),
              },
            ]
          : []),
        ...(secrets.length > 0
          ? [{ label: t('job.secrets'), value: secrets.join(', ') }]
          : []),
      ]}
    />
  );
}

function describeKept({ discardOldBuilds }: JobDetails, t: Translate): string {
  const { keepBuilds, keepDays } = discardOldBuilds;
  const builds = String(keepBuilds);
  if (keepBuilds !== undefined && keepDays !== undefined) {
    return t('job.keptBoth', { builds, count: keepDays });
  }
  if (keepBuilds !== undefined) {
    return t('job.keptBuilds', { builds });
  }
  return keepDays === undefined
    ? t('job.keptAll')
    : t('job.keptDays', { count: keepDays });
}

/** Shows the webhook address to copy into a forge, with the names of its secrets. */
export function JobWebhook({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { webhook } = job;
  if (!webhook || !job.triggerable) {
    return null;
  }
  const { url, token, signingSecrets } = webhook;
  return (
    <Panel title={t('job.webhook')}>
      <CodeLine code={`${url}?token=<${token}>`} label={t('job.webhookCopy')} />
      <p className={styles.hint}>
        {signingSecrets.length > 0
          ? t('job.webhookSigned', {
              token,
              secrets: signingSecrets.join(', '),
            })
          : t('job.webhookToken', { token })}
      </p>
    </Panel>
  );
}

/** Shows a job's file with its errors next to the lines; collapsed if there are none. */
export function JobFile({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data } = useJobFile(job.name, { isEnabled: job.file !== null });
  if (!data) {
    return null;
  }
  const faultsAt = (line: number) =>
    job.faults.filter(fault => fault.line === line);
  return (
    <details className={styles.file} open={job.faults.length > 0}>
      <summary>{data.file}</summary>
      <ol
        className={styles.lines}
        aria-label={data.file}
        // A scrollable region must be reachable by keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {data.text
          .trimEnd()
          .split('\n')
          .map((text, index) => (
            <li
              key={index}
              data-faulty={faultsAt(index + 1).length > 0 || undefined}
            >
              <code>{text}</code>
              {faultsAt(index + 1).map(({ message, column }) => (
                <p key={`${column} ${message}`} className={styles.fault}>
                  <span aria-hidden>{' '.repeat(column - 1)}↑ </span>
                  {t('job.faultAt', { column: String(column), message })}
                </p>
              ))}
            </li>
          ))}
      </ol>
    </details>
  );
}
