import type { FastifyRequest } from 'fastify';
import { nameOf } from '../access/nameOf.ts';

/** What a client that tries again calls its request, each client its own. */
export function nameDelivery(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  return typeof key === 'string' && key !== ''
    ? `${nameOf(request.caller)}:${key}`.slice(0, 256)
    : undefined;
}
