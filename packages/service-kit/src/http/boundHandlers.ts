import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { redactUrl } from '@slipway/platform-guards';
import type { FastifyReply } from 'fastify';
import { UnavailableError } from '../errors/ServiceError.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** Interval of the check for late responses. */
const LOOK_EVERY_MS = 1_000;

declare module 'fastify' {
  interface FastifyReply {
    /** The position among the replies that are not sent yet; -1 for none. */
    place: number;
    /** True while a stream is sent, which may take any time. */
    isStreaming: boolean;
  }
}

/**
 * The replies that are not sent yet. Not a Set: V8 replaces the table of a small Set every few
 * requests, and tables that have become old keep all later ones, with their replies, until a full
 * garbage collection.
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
 * Responds with 503 for handlers that take too long, at most a second late; a response that they
 * have started themselves is aborted, but not a stream that they send ({@link boundStream}). Uses one
 * timer for all requests: Fastify's own `handlerTimeout` creates an abort controller per request and
 * aborts it, with a stack trace, when each request ends.
 *
 * Also logs requests whose connection ended before their response did, with one listener per
 * connection instead of Fastify's per request.
 *
 * @param options.handlerTimeout - milliseconds since the request arrived.
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
 * Lets a response take any time if it is a stream, as its handler has answered. Aborts it if its caller
 * reads nothing for some time, but not if its source is slow. Called for each response that is sent.
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
  // The connection calls this after such a time without progress, each time.
  raw.setTimeout(handlerTimeout, () => {
    if (raw.writableLength > 0) {
      raw.destroy();
    }
  });
}

function giveUp(reply: FastifyReply): void {
  // Already answered, abandoned by the caller, or hijacked by its handler.
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
