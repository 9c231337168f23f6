import type { ServerResponse } from 'node:http';
import { UnavailableError } from '../errors/ServiceError.ts';

/** Returns a signal that is aborted when the caller disconnects before the response. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const leave = () => {
    if (!response.writableFinished) {
      gone.abort(
        new UnavailableError('The caller is no longer waiting for the answer'),
      );
    }
  };
  // The caller may have disconnected during authorization.
  if (response.destroyed) {
    leave();
  } else {
    response.once('close', leave);
  }
  return gone.signal;
}
