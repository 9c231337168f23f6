import type { FastifyReply, FastifyRequest } from 'fastify';
import createRouter, { type HTTPMethod } from 'find-my-way';
import type { ErrorFormat } from '../errors/ErrorFormat.ts';
import { type Fault, faultStatus } from '../errors/ServiceError.ts';
import { toFault } from '../errors/toFault.ts';
import type { ServiceApp } from './ServiceApp.ts';

/**
 * The methods of each path, for 405 responses and their `Allow` header. Built on first use, because
 * building it would take a tenth of the start time of a service.
 */
class MethodTable {
  readonly #options: { ignoreTrailingSlash?: boolean };
  readonly #patterns = new Map<HTTPMethod, Set<string>>();
  #router: ReturnType<typeof createRouter> | undefined;

  constructor({ ignoreTrailingSlash }: { ignoreTrailingSlash?: boolean } = {}) {
    this.#options = { ignoreTrailingSlash };
  }

  /** Adds a route by its path pattern. */
  add(method: string | string[], pattern: string): void {
    for (const each of [method].flat() as HTTPMethod[]) {
      const patterns = this.#patterns.get(each) ?? new Set<string>();
      this.#patterns.set(each, patterns.add(pattern));
    }
    this.#router = undefined;
  }

  /** Returns the methods of a path, sorted; empty if the path is unknown. */
  of(path: string): string[] {
    this.#router ??= this.#createRouter();
    const router = this.#router;
    return [...this.#patterns.keys()]
      .filter(method => router.find(method, path) !== null)
      .sort();
  }

  #createRouter(): ReturnType<typeof createRouter> {
    const router = createRouter(this.#options);
    for (const [method, patterns] of this.#patterns) {
      for (const pattern of patterns) {
        if (!router.findRoute(method, pattern)) {
          router.on(method, pattern, () => {});
        }
      }
    }
    return router;
  }
}

/**
 * Responds to every error, and to every request without a matching route, in the service's error
 * format.
 */
export function handleErrors(
  app: ServiceApp,
  options: {
    errors: ErrorFormat;
    ignoreTrailingSlash?: boolean;
    /** Called with the path of each request that matches no route. */
    onUnknownPath?(path: string): void;
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
    if (allowed.length === 0) {
      options.onUnknownPath?.(pathOf(request));
    }
    return allowed.length === 0
      ? send(reply, {
          kind: 'notFound',
          message: 'Path not found',
        })
      : send(reply, {
          kind: 'methodNotAllowed',
          message: `${request.method} is not allowed here`,
          headers: { allow: allowed.join(', ') },
        });
  });
}

/** Logs the details with the request id; the caller sees only a generic message. */
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

/** Sends an error in the error format of the service. */
export function sendFault(
  reply: FastifyReply,
  fault: Fault,
  options: { errors: ErrorFormat; now: () => number },
): FastifyReply {
  const status = faultStatus[fault.kind];
  const body = options.errors.render(fault, {
    status,
    now: new Date(options.now()),
  });
  // The route may already have set the content type and serializer of a successful response.
  return reply
    .code(status)
    .headers(fault.headers ?? {})
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body);
}
