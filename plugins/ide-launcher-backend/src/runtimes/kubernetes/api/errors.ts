import { CustomErrorBase, ServiceUnavailableError } from '@backstage/errors';

/** The cluster could not be asked: no connection, no answer in time, or its own fault. Worth trying again. */
export class ClusterUnreachableError extends ServiceUnavailableError {}

/** The portal's account may not do this, or is not known. */
export class ClusterForbiddenError extends ServiceUnavailableError {}

/** The cluster does not know DevWorkspaces. */
export class OperatorMissingError extends ServiceUnavailableError {
  constructor() {
    super(
      'The cluster knows no DevWorkspaces: an admin must install the DevWorkspace Operator',
    );
  }
}

/** The cluster understood the request and refused it. `reason` is Kubernetes' own, e.g. `AlreadyExists`. */
export class ClusterRefusedError extends CustomErrorBase {
  override name = 'ClusterRefusedError' as const;

  constructor(
    message: string,
    readonly code: number,
    readonly reason: string,
  ) {
    super(message);
  }
}

/** Returns whether an object of that name is there already. */
export function isAlreadyThere(error: unknown): boolean {
  return (
    error instanceof ClusterRefusedError && error.reason === 'AlreadyExists'
  );
}

/** Returns whether the object has changed since it was read: read it again and decide anew. */
export function isConflict(error: unknown): boolean {
  return (
    error instanceof ClusterRefusedError &&
    error.code === 409 &&
    error.reason !== 'AlreadyExists'
  );
}

/** Returns whether there is no such object. */
export function isMissing(error: unknown): boolean {
  return error instanceof ClusterRefusedError && error.code === 404;
}

/** Returns whether a list position is too old to watch from. */
export function isExpired(error: unknown): boolean {
  return error instanceof ClusterRefusedError && error.code === 410;
}

/** Kubernetes' answer to a request that failed. */
interface ClusterStatus {
  message?: string;
  reason?: string;
  details?: { name?: string; kind?: string };
}

/** Statuses that say nothing of the request: the same one may succeed a moment later. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([
  429, 500, 502, 503, 504,
]);

/**
 * Turns what the client throws into one of our errors, with a message for people.
 *
 * @param action - What was tried, e.g. `create a devworkspace in ada-workspaces`.
 */
export function explainFailure(error: unknown, action: string): Error {
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
      'The cluster does not accept the credentials of the portal',
    );
  }
  if (code === 403) {
    return new ClusterForbiddenError(`The portal may not ${action}: ${said}`);
  }
  // A resource that is unknown altogether has no name; an object that is not there has one.
  if (code === 404 && !status.details?.name) {
    return new OperatorMissingError();
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
  // A DOMException's code is a small number of its own.
  return typeof found === 'number' && found >= 100 ? found : undefined;
}

/** The client hands the body on as it came: parsed, as text, or not at all. */
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

/** `fetch failed` says nothing; what it was caused by does. */
function networkCause(error: unknown): string {
  const { cause, message, name } = (error ?? {}) as Error & { cause?: Error };
  if (name === 'TimeoutError' || name === 'AbortError') {
    return 'it did not answer in time';
  }
  const inner = cause as { code?: string; message?: string } | undefined;
  return inner?.message || inner?.code || message || String(error);
}
