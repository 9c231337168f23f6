/** What the path of a DevLake webhook says. */
export type DevlakeTarget = {
  /** Id or name of the connection, or name of the project. */
  connection: string;
  /** The connection was given by a name that somebody chose. */
  named: boolean;
} & (
  | { kind: 'deployments' | 'issues' | 'pull_requests' }
  | { kind: 'close'; issueKey: string }
);

/** With DevLake's own prefixes, so that a pipeline changes nothing but the host. */
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
 * Reads the path behind `/webhooks/devlake`, by
 * https://github.com/apache/incubator-devlake/blob/main/backend/plugins/webhook/impl/impl.go:
 * `connections/:id`, `connections/by-name/:name`, `projects/:name` or just `:id`,
 * then `deployments`, `issues`, `pull_requests` or `issue/:key/close`; and the
 * earlier `issue/:board/:key/close`.
 *
 * @returns undefined when DevLake has no such path.
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
