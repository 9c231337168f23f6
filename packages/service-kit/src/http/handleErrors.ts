import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorFormat, Fault } from '../errors/index.ts';
import { toFault } from '../errors/toFault.ts';
import { MethodTable } from './MethodTable.ts';
import { sendFault } from './sendFault.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** Turns every error, and every request that no route takes, into the error format. */
export function handleErrors(
  app: ServiceApp,
  options: {
    errors: ErrorFormat;
    ignoreTrailingSlash?: boolean;
    now: () => number;
  },
): void {
  const send = (reply: FastifyReply, fault: Fault) =>
    sendFault(reply, fault, options);

  app.setErrorHandler((error, request, reply) => {
    const fault = toFault(error, { bodyAbsent: request.body === undefined });
    log(request, fault, error);
    return send(reply, fault);
  });

  const methods = new MethodTable(options);
  app.addHook('onRoute', ({ method, url }) => methods.add(method, url));
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.of(pathOf(request));
    return allowed.length === 0
      ? send(reply, {
          kind: 'notFound',
          message: 'Nothing is found at this path',
        })
      : send(reply, {
          kind: 'methodNotAllowed',
          message: `${request.method} is not allowed here`,
          headers: { allow: allowed.join(', ') },
        });
  });
}

/** The caller reads a fixed sentence; what happened is in the log, by the request id. */
function log(request: FastifyRequest, fault: Fault, error: unknown): void {
  if (fault.kind === 'internal') {
    request.log.error({ err: error }, 'A request failed');
  } else if (fault.kind === 'unavailable') {
    request.log.warn({ err: error }, 'A request could not be served');
  }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0];
}
