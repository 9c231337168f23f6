import { CustomErrorBase, ServiceUnavailableError } from '@backstage/errors';

/** The cluster could not be asked: no connection, no answer in time, or its own fault. Worth trying again. */
export class ClusterUnreachableError extends ServiceUnavailableError {}

/** The portal's account may not do this, or is not known. */
export class ClusterForbiddenError extends ServiceUnavailableError {}

/** The cluster does not know DevWorkspaces. */
export class OperatorMissingError extends ServiceUnavailableError {
  constructor() {
    super(
      'The cluster knows no DevWorkspaces: an administrator must install the DevWorkspace Operator',
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

/** Whether an object of that name is there already. */
export function isAlreadyThere(error: unknown): boolean {
  return (
    error instanceof ClusterRefusedError && error.reason === 'AlreadyExists'
  );
}

/** Whether the object has changed since it was read: read it again and decide anew. */
export function isConflict(error: unknown): boolean {
  return (
    error instanceof ClusterRefusedError &&
    error.code === 409 &&
    error.reason !== 'AlreadyExists'
  );
}

/** Whether there is no such object. */
export function isMissing(error: unknown): boolean {
  return error instanceof ClusterRefusedError && error.code === 404;
}

/** Whether a list position is too old to watch from. */
export function isExpired(error: unknown): boolean {
  return error instanceof ClusterRefusedError && error.code === 410;
}
