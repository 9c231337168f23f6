import {
  type Access,
  type Authenticator,
  type Caller,
  type CredentialCaller,
  UnauthenticatedError,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import type { AgentStore } from '../storage/AgentStore.ts';
import { type Agent, digestOf, type Held } from './Agent.ts';

interface AgentCaller extends CredentialCaller {
  readonly agent: Agent;
}

const TOKEN = /^bearer +(slipway_agent_\S{1,200})$/i;

/** Authenticates agents by the token issued at their enrolment. */
export function agentAccess(agents: AgentStore): Access {
  const authenticator: Authenticator = {
    place: 'header:authorization',
    scheme: {
      name: 'agentToken',
      definition: { type: 'http', scheme: 'bearer' },
    },
    challenge: 'Bearer',
    async authenticate(request, addresses) {
      const [, token] = TOKEN.exec(request.headers.authorization ?? '') ?? [];
      if (token === undefined) {
        return undefined;
      }
      await addresses.assertLeft(request);
      // Never cached: a token becomes invalid as soon as its agent is removed.
      const agent = await agents.findByToken(token);
      if (!agent) {
        throw new UnauthenticatedError('The agent was removed');
      }
      const caller: AgentCaller = {
        kind: 'bearer',
        id: agent.name,
        scopes: ['agent'],
        agent,
      };
      return { caller, budget: `agent:${digestOf(agent.id)}` };
    },
  };
  return { ways: [{ authenticator }], optional: false };
}

/** Returns the agent that calls a route of {@link agentAccess}. */
export function agentOfCaller(caller: Caller): Agent {
  return (caller as AgentCaller).agent;
}

/** Returns the build that a request of an agent is about. */
export function heldOf({ caller, params, query }: FastifyRequest): Held {
  const { id } = params as { id: number };
  const { session, attempt } = query as { session: string; attempt: number };
  return { agent: agentOfCaller(caller), session, id, attempt };
}
