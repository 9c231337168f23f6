import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { redactUrl } from '@slipway/platform-guards';
import type { FastifyReply } from 'fastify';
import { UnavailableError } from '../errors/ServiceError.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** Interval at which late responses are looked for. */
const LOOK_EVERY_MS = 1_000;

declare module 'fastify' {
  interface FastifyReply {
    /** Index in the list of open replies; -1 if not in it. */
    place: number;
    /** True while a stream is being sent, which may take any amount of time. */
    isStreaming: boolean;
  }
}

/**
 * The replies that have not been sent yet. Not a Set: V8 replaces the table of a small Set every
 * few requests, and a table in the old generation keeps all later ones alive, with their replies,
 * until a full garbage collection.
 */
class OpenReplies {
  readonly #places: (FastifyReply | undefined)[] = [];
  readonly #free: number[] = [];

  add(reply: FastifyReply): void {
    reply.place = this.#free.pop() ?? this.#places.length;
    this.#places[reply.place] = reply;
  }

  delete(reply: FastifyReply): void {
    const { place } = reply;
    if (place >= 0) {
      reply.place = -1;
      this.#places[place] = undefined;
      this.#free.push(place);
    }
  }

  list(): FastifyReply[] {
    return this.#places.filter(reply => reply !== undefined);
  }
}

/**
 * Responds with 503 if a handler takes too long, at most a second late. A response that the handler
 * has already started is aborted, unless it is a stream ({@link boundStream}). Uses one timer for
 * all requests: Fastify's own `handlerTimeout` creates an abort controller per request and aborts
 * it, with a stack trace, when the request ends.
 *
 * Also logs requests whose connection closed before the response was sent, with one listener per
 * connection instead of Fastify's one per request.
 *
 * @param options.handlerTimeout - maximum milliseconds since the request arrived.
 */
export function boundHandlers(
  app: ServiceApp,
  { handlerTimeout }: { handlerTimeout: number },
): void {
  const open = new OpenReplies();
  app.decorateReply('place', -1);
  app.decorateReply('isStreaming', false);
  app.decorateRequest('routeConfig');
  app.addHook('onRequest', (request, reply, done) => {
    request.routeConfig = request.routeOptions.config;
    open.add(reply);
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    open.delete(reply);
    done();
  });
  const timer = setInterval(
    () => {
      for (const reply of open.list()) {
        if (!reply.isStreaming && reply.elapsedTime >= handlerTimeout) {
          open.delete(reply);
          giveUp(reply);
        }
      }
    },
    Math.min(LOOK_EVERY_MS, handlerTimeout / 2),
  );
  timer.unref();
  app.server.on('connection', (socket: Socket) => {
    socket.once('close', () => {
      for (const reply of open.list()) {
        const { request } = reply;
        if (request.raw.socket === socket) {
          open.delete(reply);
          request.log.info(
            { method: request.method, url: redactUrl(request.url) },
            'request aborted by its caller',
          );
        }
      }
    });
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

/**
 * Exempts a streamed response from the handler timeout, because its handler has finished. Aborts it
 * if the caller stops reading for that long, but not if the source is slow. Call it for each
 * response.
 */
export function boundStream(
  reply: FastifyReply,
  payload: unknown,
  { handlerTimeout }: { handlerTimeout: number },
): void {
  if (!(payload instanceof Readable)) {
    return;
  }
  reply.isStreaming = true;
  const { raw } = reply;
  // Called each time the connection makes no progress for that long.
  raw.setTimeout(handlerTimeout, () => {
    if (raw.writableLength > 0) {
      raw.destroy();
    }
  });
}

function giveUp(reply: FastifyReply): void {
  // Already sent, abandoned by the caller, or hijacked by its handler.
  if (reply.sent || reply.raw.destroyed) {
    return;
  }
  const error = new UnavailableError('The request timed out', {
    retryAfterSeconds: 5,
  });
  if (reply.raw.headersSent) {
    reply.raw.destroy(error);
  } else {
    reply.send(error);
  }
}
