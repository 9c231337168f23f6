import type { IncomingMessage, ServerResponse } from 'node:http';
import { InvalidRequestError, NotFoundError } from '../errors/ServiceError.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** Maximum characters of a path parameter; schemas restrict it further. */
const LONGEST_NAME = 1_024;

/** Requests with an invalid percent encoding in their path. */
const badUrls = new WeakSet<IncomingMessage>();

/**
 * Routes a request with an undecodable path through the request lifecycle anyway, so that it is
 * counted, logged and answered with the usual headers; {@link refuseBadPaths} rejects it there.
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

/** Rejects paths with an invalid percent encoding and overlong path parameters. */
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
