import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import { z } from 'zod';
import { DeploymentEvent } from '../../events/LakeEvent';
import { repositoryName } from '../../events/repositoryName';
import {
  ignoring,
  key,
  MappedDelivery,
  accepting,
  optionalText,
  PayloadError,
  readPayload,
  shortened,
  timestamp,
} from '../payload';

/** The target in the path of a DevLake webhook. */
type DevlakeTarget = {
  /** Id or name of the connection, or name of the project. */
  connection: string;
  /** True if the path contains the name of the connection rather than its id. */
  named: boolean;
} & (
  | { kind: 'deployments' | 'issues' | 'pull_requests' }
  | { kind: 'close'; issueKey: string }
);

/** DevLake's own prefixes, which are accepted so that a pipeline only has to change the host. */
const PREFIX = /^(?:\/api)?(?:\/rest)?(?:\/plugins\/webhook)?\//;

function decode(segments: string[]): string[] | undefined {
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function readConnection(
  segments: string[],
): { connection: string; named: boolean; rest: string[] } | undefined {
  const [first, second, third, ...others] = segments;
  if (first === 'connections' && second === 'by-name' && third) {
    return { connection: third, named: true, rest: others };
  }
  if ((first === 'connections' || first === 'projects') && second) {
    return {
      connection: second,
      named: first === 'projects',
      rest: segments.slice(2),
    };
  }
  return first
    ? { connection: first, named: false, rest: segments.slice(1) }
    : undefined;
}

/**
 * Reads the path after `/webhooks/devlake`, as in
 * https://github.com/apache/incubator-devlake/blob/main/backend/plugins/webhook/impl/impl.go:
 * `connections/:id`, `connections/by-name/:name`, `projects/:name` or just `:id`,
 * then `deployments`, `issues`, `pull_requests` or `issue/:key/close`; and the
 * earlier `issue/:board/:key/close`.
 *
 * @returns undefined if DevLake has no such path.
 */
export function readDevlakePath(path: string): DevlakeTarget | undefined {
  if (!PREFIX.test(path)) {
    return undefined;
  }
  const segments = decode(
    path.replace(PREFIX, '').replace(/\/$/, '').split('/'),
  );
  const found = segments && readConnection(segments);
  if (!found) {
    return undefined;
  }
  const { connection, named, rest } = found;
  const [kind] = rest;
  if (rest.length === 1) {
    return kind === 'deployments' ||
      kind === 'issues' ||
      kind === 'pull_requests'
      ? { connection, named, kind }
      : undefined;
  }
  const closes =
    (kind === 'issue' || kind === 'issues') &&
    (rest.length === 3 || rest.length === 4) &&
    rest[rest.length - 1] === 'close';
  const issueKey = rest[rest.length - 2];
  return closes && issueKey
    ? { connection, named, kind: 'close', issueKey }
    : undefined;
}

const commitSchema = z.object({
  repoUrl: z.string().trim().min(1),
  commitSha: z.string().trim().min(1),
  commitMsg: optionalText,
  refName: optionalText,
  result: optionalText,
  startedDate: timestamp,
  finishedDate: timestamp,
});

const deploymentsSchema = z.object({
  id: key,
  result: optionalText,
  environment: z
    .enum(['', 'PRODUCTION', 'STAGING', 'TESTING', 'DEVELOPMENT'])
    .nullish(),
  displayTitle: optionalText,
  startedDate: timestamp,
  finishedDate: timestamp,
  deploymentCommits: z
    .array(commitSchema)
    .min(1, 'names no commit: one is required'),
});

type Commit = z.output<typeof commitSchema>;

/** Maps a result. DevLake accepts any text and counts only SUCCESS. */
function statusOf(result: string | undefined): DeploymentStatus {
  const word = (result ?? 'SUCCESS').toLocaleUpperCase('en-US');
  if (word === 'SUCCESS') {
    return 'SUCCESS';
  }
  return /^(ABORT|CANCEL)/.test(word) ? 'CANCELLED' : 'FAILURE';
}

/** Returns the last finished commit of each repository, because a deployment may list several. */
function lastPerRepository(commits: Commit[]): Map<string, Commit> {
  const last = new Map<string, Commit>();
  for (const commit of commits) {
    const repository = repositoryName(commit.repoUrl) ?? commit.repoUrl;
    const other = last.get(repository);
    if (!other || other.finishedDate <= commit.finishedDate) {
      last.set(repository, commit);
    }
  }
  return last;
}

/**
 * Maps DevLake's deployment body to a deployment for each repository in it.
 * https://devlake.apache.org/docs/Plugins/webhook/#register-deployments
 *
 * @throws PayloadError naming the invalid field.
 */
function mapDeployments(delivery: {
  source: string;
  body: unknown;
}): MappedDelivery {
  const { source, body } = delivery;
  const deployment = readPayload(deploymentsSchema, body);
  const commits = lastPerRepository(deployment.deploymentCommits);
  return accepting(
    ...[...commits].map(([repository, commit]): DeploymentEvent => ({
      kind: 'deployment',
      source,
      externalId: `${deployment.id}:${repository}`,
      occurredAt: commit.finishedDate,
      service: repository,
      environment: deployment.environment || 'PRODUCTION',
      status: statusOf(commit.result ?? deployment.result),
      startedAt: commit.startedDate,
      finishedAt: commit.finishedDate,
      version: commit.refName ?? deployment.displayTitle,
      repository,
      commit: {
        sha: commit.commitSha,
        message: commit.commitMsg && shortened(commit.commitMsg),
      },
    })),
  );
}

const issueSchema = z.object({
  issueKey: key,
  title: z.string().trim().min(1),
  url: optionalText,
  type: optionalText,
  status: z.enum(['TODO', 'DONE', 'IN_PROGRESS']),
  originalStatus: z.string().min(1),
  createdDate: timestamp,
  updatedDate: timestamp.nullish(),
  resolutionDate: timestamp.nullish(),
  severity: optionalText,
  component: optionalText,
});

/**
 * Maps DevLake's issue body. Like DevLake, the lake only treats issues of the type INCIDENT as
 * incidents. The service is the component or the name of the connection, because the body does not
 * contain a repository.
 *
 * https://devlake.apache.org/docs/Plugins/webhook/#register-issues
 *
 * @throws PayloadError naming the invalid field.
 */
function mapIssue(delivery: {
  source: string;
  body: unknown;
  target: DevlakeTarget;
}): MappedDelivery {
  const { source, body, target } = delivery;
  const issue = readPayload(issueSchema, body);
  if (issue.type?.toLocaleUpperCase('en-US') !== 'INCIDENT') {
    return ignoring(
      `Issue ${issue.issueKey} is of type ${
        issue.type ?? 'none'
      }, not INCIDENT`,
    );
  }
  const resolvedAt =
    issue.status === 'DONE'
      ? (issue.resolutionDate ?? issue.updatedDate ?? issue.createdDate)
      : null;
  return accepting({
    kind: 'incident',
    source,
    externalId: issue.issueKey,
    occurredAt: issue.updatedDate ?? resolvedAt ?? issue.createdDate,
    service: issue.component ?? (target.named ? target.connection : undefined),
    title: issue.title,
    severity: issue.severity?.toLocaleLowerCase('en-US'),
    startedAt: issue.createdDate,
    resolvedAt,
    url: issue.url,
  });
}

/**
 * Maps the closing of an issue. The request contains only the key, so the time of receipt counts as
 * the time of the resolution.
 *
 * @param delivery.receivedAt - milliseconds.
 */
function mapClosedIssue(delivery: {
  source: string;
  issueKey: string;
  receivedAt: number;
}): MappedDelivery {
  return accepting({
    kind: 'incident',
    source: delivery.source,
    externalId: delivery.issueKey,
    occurredAt: delivery.receivedAt,
    resolvedAt: delivery.receivedAt,
  });
}

/**
 * Reads a delivery to a DevLake webhook. Each connection numbers its own issues, so each is
 * a separate source, `devlake:<connection>`.
 *
 * @param delivery.path - the part after `/webhooks/devlake`.
 * @param delivery.receivedAt - milliseconds.
 * @throws PayloadError naming the invalid field.
 */
export function mapDevlake(delivery: {
  path: string;
  receivedAt: number;
  body: unknown;
}): MappedDelivery {
  const target = readDevlakePath(delivery.path);
  if (!target) {
    throw new PayloadError(`DevLake has no webhook ${delivery.path}`);
  }
  const source = `devlake:${target.connection}`;
  switch (target.kind) {
    case 'deployments':
      return mapDeployments({ ...delivery, source });
    case 'issues':
      return mapIssue({ ...delivery, source, target });
    case 'close':
      return mapClosedIssue({
        source,
        issueKey: target.issueKey,
        receivedAt: delivery.receivedAt,
      });
    default:
      return ignoring(
        'A pull request sent to DevLake does not name its repository the way deployments do',
      );
  }
}
