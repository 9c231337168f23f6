import { ResponseError } from '@backstage/errors';

/** The details of a failed call. */
export interface FailedCall {
  /** The HTTP status; undefined if there was no response. */
  status?: number;
  /** The server's own message, extracted from its envelope; undefined if there is none to show. */
  message?: string;
  /** Id of the request, if the server sent one. */
  requestId?: string;
}

/** Reads the details of a thrown value; returns none if it is not a failed call. */
export function readFailedCall(error: unknown): FailedCall {
  if (!(error instanceof ResponseError)) {
    return {};
  }
  const { message } = error.body.error ?? {};
  return {
    status: error.response.status,
    // Backstage's message for a response without a readable body.
    message: message?.startsWith('Request failed with status')
      ? undefined
      : message || undefined,
    requestId: error.response.headers?.get('x-request-id') ?? undefined,
  };
}

/** Checks whether the service responded with not found. */
export function isMissing(error: unknown): boolean {
  return readFailedCall(error).status === 404;
}

/** Checks whether the object to change has changed since it was read (412). */
export function isConflict(error: unknown): boolean {
  return readFailedCall(error).status === 412;
}

/** Checks whether the proxy got no response, or the service is unavailable. */
export function isUnreachable(error: unknown): boolean {
  return [502, 503, 504].includes(readFailedCall(error).status ?? 0);
}

/** Checks whether the same call may work in a moment: the service or the portal is not responding. */
export function isTransient(error: unknown): boolean {
  // A TypeError is thrown by fetch if there was no response.
  return isUnreachable(error) || error instanceof TypeError;
}
