import type { FastifyReply } from 'fastify';
import { type ErrorFormat, type Fault, faultStatus } from '../errors/index.ts';

/** Answers with a fault, in the error format of the service. */
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
  // A route may have chosen the type and the shape of its good answers by now.
  return reply
    .code(status)
    .headers(fault.headers ?? {})
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body);
}
