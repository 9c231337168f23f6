import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import {
  Details,
  formatDuration,
  Panel,
  RelativeTime,
} from '@slipway/design-system';
import type { BuildDetails, TestSummary } from '../api/BuildsApi';
import { BuildDuration } from '../components/BuildState';
import { buildsTranslationRef } from '../translation';
import styles from './BuildPage.module.css';

/** Shorter waits are how a queue works, and nothing to tell. */
const NOTABLE_MS = 2_000;

/** What a build is of, and with which parameters. */
export function BuildFacts(props: {
  details: BuildDetails;
  repository: string | null | undefined;
}) {
  const { details, repository } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { cause, reason, revision, ref, parameters, timestamp } = details;
  const waited = timestamp - details.queuedAt;
  const given = Object.entries(parameters);
  return (
    <>
      <Panel title={t('build.facts')}>
        <Details
          items={[
            ...(reason ? [{ label: t('build.reason'), value: reason }] : []),
            { label: t('build.cause'), value: cause },
            {
              label: t('build.started'),
              value: <RelativeTime value={new Date(timestamp).toISOString()} />,
            },
            {
              label: t('build.duration'),
              value: <BuildDuration build={details} />,
            },
            ...(waited >= NOTABLE_MS
              ? [{ label: t('build.waited'), value: formatDuration(waited) }]
              : []),
            ...(revision
              ? [
                  {
                    label: t('build.revision'),
                    value: <Commit id={revision} repository={repository} />,
                  },
                ]
              : []),
            ...(ref
              ? [
                  {
                    label: t('build.ref'),
                    value: (
                      <span title={ref}>
                        {ref.replace(/^refs\/(?:heads|tags)\//, '')}
                      </span>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </Panel>
      {given.length > 0 && (
        <Panel title={t('build.parameters')}>
          <Details
            items={given.map(([name, value]) => ({
              label: name,
              value: <code>{value}</code>,
            }))}
          />
        </Panel>
      )}
    </>
  );
}

/** Commits that a build is the first of; nothing where none are known. */
export function ChangeList(props: {
  items: BuildDetails['changeSet']['items'];
  repository: string | null | undefined;
}) {
  const { t } = useTranslationRef(buildsTranslationRef);
  if (props.items.length === 0) {
    return null;
  }
  return (
    <Panel title={t('build.changes')}>
      <ul className={styles.list}>
        {props.items.map(({ commitId, msg, author }) => (
          <li key={commitId}>
            <span>{msg}</span>
            <span className={styles.quiet}>
              {author.fullName}{' '}
              <Commit id={commitId} repository={props.repository} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** A commit by its first characters; leads to the forge where that is known. */
function Commit(props: {
  id: string;
  /** The address that is cloned. */
  repository: string | null | undefined;
}) {
  const { id, repository } = props;
  const url = commitUrl(repository, id);
  const text = <code title={id}>{id.slice(0, 10)}</code>;
  return url ? (
    <Link href={url} target="_blank" rel="noreferrer">
      {text}
    </Link>
  ) : (
    text
  );
}

/**
 * Where a forge shows a commit: GitHub, GitLab, Gitea and Forgejo all do so there.
 *
 * @param repository - the address that is cloned.
 * @returns undefined where that is no address of the web.
 */
export function commitUrl(
  repository: string | null | undefined,
  commit: string,
): string | undefined {
  if (!repository || !URL.canParse(repository)) {
    return undefined;
  }
  const { protocol, origin, pathname } = new URL(repository);
  return protocol === 'https:' || protocol === 'http:'
    ? `${origin}${pathname.replace(
        /(?:\.git)?\/?$/,
        '',
      )}/commit/${encodeURIComponent(commit)}`
    : undefined;
}

/** What tests came to; those that failed by name. */
export function TestResults({ tests }: { tests: TestSummary }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { total, failed, skipped, failures } = tests;
  const counts = {
    total: String(total),
    failed: String(failed),
    skipped: String(skipped),
  };
  return (
    <Panel title={t('build.tests')}>
      <p className={styles.counts}>
        {failed > 0
          ? t('build.testsText', counts)
          : t('build.testsPassed', {
              ...counts,
              total: String(total - skipped),
            })}
      </p>
      {failures.length > 0 && (
        <ul className={styles.list}>
          {failures.map(({ suite, name, message }, index) => (
            // Names of tests need not be unique.
            <li key={index}>
              <details>
                <summary>
                  {name} <span className={styles.quiet}>{suite}</span>
                </summary>
                <pre className={styles.message}>{message}</pre>
              </details>
            </li>
          ))}
        </ul>
      )}
      {failed > failures.length && (
        <p className={styles.quiet}>
          {t('build.testsMore', { shown: String(failures.length) })}
        </p>
      )}
    </Panel>
  );
}
