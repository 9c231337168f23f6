import { actorOf } from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';

/** What a client that tries again calls its request, each client its own. */
export function nameDelivery(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  return typeof key === 'string' && key !== ''
    ? `${actorOf(request.caller)}:${key}`.slice(0, 256)
    : undefined;
}
