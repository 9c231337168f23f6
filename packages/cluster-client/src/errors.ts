import { CustomErrorBase, ServiceUnavailableError } from '@backstage/errors';

/** The cluster is unreachable: no connection, no response in time, or an internal error. Worth a retry. */
export class ClusterUnreachableError extends ServiceUnavailableError {}

/** The account of the client is unknown or lacks the permission. */
export class ClusterForbiddenError extends ServiceUnavailableError {}

/** The cluster does not know the type of the resource. */
export class UnknownTypeError extends ServiceUnavailableError {}

/** The cluster rejected the request. `reason` is that of Kubernetes, e.g. `AlreadyExists`. */
export class ClusterRefusedError extends CustomErrorBase {
  override name = 'ClusterRefusedError' as const;
  readonly code: number;
  readonly reason: string;

  constructor(message: string, code: number, reason: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** Checks whether an object of that name already exists. */
export function isAlreadyThere(error: unknown): boolean {
  return (
    error instanceof ClusterRefusedError && error.reason === 'AlreadyExists'
  );
}

/** Checks whether the object has changed since it was read, so that the caller must read it again. */
export function isConflict(error: unknown): boolean {
  return (
    error instanceof ClusterRefusedError &&
    error.code === 409 &&
    error.reason !== 'AlreadyExists'
  );
}

/** Checks whether the object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof ClusterRefusedError && error.code === 404;
}

/** Checks whether a list position is too old to watch from. */
export function isExpired(error: unknown): boolean {
  return error instanceof ClusterRefusedError && error.code === 410;
}

/** Kubernetes' response to a failed request. */
interface ClusterStatus {
  message?: string;
  reason?: string;
  details?: { name?: string; kind?: string };
}

/** Transient statuses: the same request may succeed a moment later. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([
  429, 500, 502, 503, 504,
]);

/**
 * Converts an error of the client library to one of our errors, with a message for users.
 *
 * @param options.action - The failed action, e.g. `create a pod in builds`.
 * @param options.account - Who sent the request, e.g. `the portal`.
 */
export function explainFailure(
  error: unknown,
  { action, account }: { action: string; account: string },
): Error {
  const code = statusCodeOf(error);
  if (code === undefined) {
    return new ClusterUnreachableError(
      `The cluster cannot be reached: ${networkCause(error)}`,
    );
  }
  const status = readStatus(error);
  const said = status.message ?? `HTTP ${code}`;
  if (PASSING_STATUSES.has(code)) {
    return new ClusterUnreachableError(
      `The cluster could not ${action}: ${said}`,
    );
  }
  if (code === 401) {
    return new ClusterForbiddenError(
      `The cluster does not accept the credentials of ${account}`,
    );
  }
  if (code === 403) {
    return new ClusterForbiddenError(
      `${capitalized(account)} may not ${action}: ${said}`,
    );
  }
  // An unknown resource type has no name in the details; a missing object does.
  if (code === 404 && !status.details?.name) {
    return new UnknownTypeError(
      `The cluster cannot ${action}: it does not know the type`,
    );
  }
  return new ClusterRefusedError(
    `The cluster refused to ${action}: ${said}`,
    code,
    status.reason ?? '',
  );
}

function statusCodeOf(error: unknown): number | undefined {
  const { code, statusCode } = (error ?? {}) as Record<string, unknown>;
  const found = typeof code === 'number' ? code : statusCode;
  // A DOMException has a numeric code with a different meaning.
  return typeof found === 'number' && found >= 100 ? found : undefined;
}

/** Reads the status from an error of the client, which passes the body on parsed, as text, or not at all. */
function readStatus(error: unknown): ClusterStatus {
  const { body } = error as { body?: unknown };
  if (typeof body !== 'string') {
    return (body ?? {}) as ClusterStatus;
  }
  try {
    return JSON.parse(body) as ClusterStatus;
  } catch {
    return { message: body.trim().slice(0, 200) || undefined };
  }
}

/** Describes a network error by its cause, because `fetch failed` alone is not helpful. */
function networkCause(error: unknown): string {
  const { cause, message, name } = (error ?? {}) as Error & { cause?: Error };
  if (name === 'TimeoutError' || name === 'AbortError') {
    return 'it did not answer in time';
  }
  const inner = cause as { code?: string; message?: string } | undefined;
  return inner?.message || inner?.code || message || String(error);
}

function capitalized(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}
