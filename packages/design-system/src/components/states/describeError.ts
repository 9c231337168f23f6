import { ResponseError, isError } from '@backstage/errors';

/** What an {@link ErrorPanel} says about an error. */
export interface ErrorDescription {
  /** One line in words; never a stack. */
  message: string;
  /** Id of the failed request, where the server sent one. */
  requestId?: string;
}

/**
 * Reads what a person can use out of a thrown value. Of a `ResponseError` that
 * is the server's own message instead of "Request failed with 409 Conflict",
 * and the request id from the header or the body.
 */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof ResponseError || isResponseError(error)) {
    const headers = error.response.headers;
    return {
      message: error.body.error?.message || error.message,
      requestId: headers?.get?.('x-request-id') ?? undefined,
    };
  }
  return { message: isError(error) ? error.message : String(error) };
}

// Two copies of @backstage/errors may be in the bundle; then instanceof fails.
function isResponseError(error: unknown): error is ResponseError {
  return (
    isError(error) && error.name === 'ResponseError' && 'response' in error
  );
}
