import { ConflictError } from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import type { Held } from './Agent.ts';
import { agentOfCaller } from './agentAuth.ts';

/** @throws ConflictError if the agent no longer owns the build: it has to stop it. */
export function assertHeld(isHeld: boolean): void {
  if (!isHeld) {
    throw new ConflictError('The build is not of this agent any more');
  }
}

/** Returns the build that an agent's request refers to. */
export function heldOf({ caller, params, query }: FastifyRequest): Held {
  const { id } = params as { id: number };
  const { session, attempt } = query as { session: string; attempt: number };
  return { agent: agentOfCaller(caller), session, id, attempt };
}
