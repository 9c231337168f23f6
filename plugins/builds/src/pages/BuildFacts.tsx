import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import {
  Details,
  formatDuration,
  Panel,
  RelativeTime,
} from '@slipway/design-system';
import type { BuildDetails, Kept, PullRequest } from '../api/BuildsApi';
import { BuildDuration } from '../components/BuildState';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';
import { commitUrl, refUrl } from './forgePages';
import styles from './BuildPage.module.css';

/** Shorter waits in the queue are normal and not shown. */
const NOTABLE_MS = 2_000;

/** Shows a build's commit, cause, times and parameters. */
export function BuildFacts(props: {
  job: string;
  details: BuildDetails;
  repository: string | null | undefined;
}) {
  const { job, details, repository } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  const { author, description, kept, pullRequest, rerunOf } = details;
  const { cause, reason, revision, ref, parameters, timestamp } = details;
  const waited = timestamp - details.queuedAt;
  const given = Object.entries(parameters);
  return (
    <>
      <Panel title={t('build.facts')}>
        <Details
          items={[
            ...(description !== null
              ? [
                  {
                    label: t('build.description'),
                    value: (
                      <span className={styles.description}>{description}</span>
                    ),
                  },
                ]
              : []),
            ...(reason ? [{ label: t('build.reason'), value: reason }] : []),
            { label: t('build.cause'), value: cause },
            {
              label: t('build.started'),
              value: <RelativeTime value={timestamp} />,
            },
            {
              label: t('build.duration'),
              value: <BuildDuration build={details} />,
            },
            ...(details.building && details.estimatedDuration >= 0
              ? [
                  {
                    label: t('build.usual'),
                    value: formatDuration(details.estimatedDuration),
                  },
                ]
              : []),
            ...(waited >= NOTABLE_MS
              ? [{ label: t('build.waited'), value: formatDuration(waited) }]
              : []),
            ...(kept
              ? [{ label: t('build.keptBy'), value: <Keeping kept={kept} /> }]
              : []),
            ...(revision
              ? [
                  {
                    label: t('build.revision'),
                    value: <Commit id={revision} repository={repository} />,
                  },
                ]
              : []),
            ...(author ? [{ label: t('build.author'), value: author }] : []),
            ...(pullRequest
              ? [
                  {
                    label: t('build.pullRequest'),
                    value: <PullRequestLink request={pullRequest} />,
                  },
                ]
              : []),
            ...(rerunOf !== null
              ? [
                  {
                    label: t('build.rerunOf'),
                    value: (
                      <Link href={links.build(job, rerunOf)}>#{rerunOf}</Link>
                    ),
                  },
                ]
              : []),
            ...(ref && !pullRequest
              ? [
                  {
                    label: t(
                      ref.startsWith('refs/tags/')
                        ? 'build.tag'
                        : 'build.branch',
                    ),
                    value: <RefLink name={ref} repository={repository} />,
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

/** Shows who keeps a build, since when and why. */
function Keeping({ kept }: { kept: Kept }) {
  return (
    <>
      {kept.by.replace(/^(?:user:default\/|token:)/, '')}{' '}
      <RelativeTime value={kept.at} />
      {kept.reason !== null && (
        <span className={styles.reason}>{kept.reason}</span>
      )}
    </>
  );
}

/** Shows a pull request by number, title and branches, linked to the forge if possible. */
function PullRequestLink({ request }: { request: PullRequest }) {
  const { number, title, url, branch, base } = request;
  const text = `#${number}${title ? ` ${title}` : ''}`;
  return (
    <>
      {url ? (
        <Link href={url} target="_blank" rel="noreferrer">
          {text}
        </Link>
      ) : (
        text
      )}
      {branch && base && (
        <span className={styles.quiet}>
          {' '}
          {branch} → {base}
        </span>
      )}
    </>
  );
}

/** Shows a branch or tag by its short name, linked to its commits at the forge. */
function RefLink(props: {
  name: string;
  repository: string | null | undefined;
}) {
  const { name, repository } = props;
  const short = name.replace(/^refs\/(?:heads|tags)\//, '');
  const url = refUrl(repository, name);
  return url ? (
    <Link href={url} target="_blank" rel="noreferrer">
      {short}
    </Link>
  ) : (
    <span title={name}>{short}</span>
  );
}

/** Lists the commits since the previous build; renders nothing if none are known. */
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

/** Shows an abbreviated commit hash, linked to the forge if possible. */
function Commit(props: {
  id: string;
  /** Clone URL of the repository. */
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
