import type { IncomingMessage, ServerResponse } from 'node:http';
import { InvalidRequestError, NotFoundError } from '../errors/ServiceError.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** Characters of a name in a path; what names are like beyond that, schemas say. */
const LONGEST_NAME = 1_024;

/** Requests whose paths are not validly encoded. */
const badUrls = new WeakSet<IncomingMessage>();

/**
 * Sends a request whose path the router cannot decode through the life cycle all the same,
 * so that it is counted, logged and answered with the headers of every answer:
 * {@link refuseBadPaths} refuses it there.
 */
export function routeBadUrl(
  app: ServiceApp,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [path, ...query] = (request.url ?? '').split('?');
  badUrls.add(request);
  request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  app.routing(request, response);
}

/** Refuses paths that are not validly encoded, and names that are longer than any. */
export function refuseBadPaths(app: ServiceApp): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (badUrls.has(request.raw)) {
      done(new InvalidRequestError('The path is not validly encoded'));
    } else if (
      request.url.length > LONGEST_NAME &&
      hasLongName(request.params)
    ) {
      done(new NotFoundError('Path not found'));
    } else {
      done();
    }
  });
}

function hasLongName(params: unknown): boolean {
  return Object.values(params as Record<string, string>).some(
    name => name.length > LONGEST_NAME,
  );
}
