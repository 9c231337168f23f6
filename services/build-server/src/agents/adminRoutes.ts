import { actorOf, NotFoundError, type ServiceApp } from '@slipway/service-kit';
import type { Permissions } from '../access/Permissions.ts';
import type { AgentStore } from '../storage/AgentStore.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import { type Agent, agentOf, isConnected, labelsOf } from './Agent.ts';
import type { AgentDesk } from './AgentDesk.ts';
import {
  AgentParams,
  AgentsAnswer,
  InviteAnswer,
  InviteBody,
  NoContent,
} from './schemas.ts';

/** Registers the routes by which admins manage agents; callers with read access can list them. */
export function agentAdminRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    agents: AgentStore;
    desk: Pick<AgentDesk, 'invite'>;
    store: BuildStore;
    now: () => number;
  },
): void {
  const { permissions, agents, desk, store, now } = options;
  const admin = { access: permissions.admin };

  app.get(
    '/agents',
    {
      config: { access: permissions.read },
      schema: {
        tags: ['agents'],
        summary: 'List agents',
        response: { 200: AgentsAnswer },
      },
    },
    async ({ caller }) => {
      const running = await store.listRunningBuilds();
      return {
        manageable: await permissions.isAdmin(caller),
        agents: (await agents.list()).map(agent => ({
          ...agent,
          labels: [...labelsOf(agent)],
          connected: isConnected(agent, now()),
          running: running
            .filter(({ worker }) => agentOf(worker) === agent.id)
            .map(({ job, number }) => ({ job, number })),
        })),
      };
    },
  );

  app.post(
    '/agents/enrolments',
    {
      config: admin,
      schema: {
        tags: ['agents'],
        summary: 'Create a one-time token that enrols an agent',
        body: InviteBody,
        response: { 201: InviteAnswer },
      },
    },
    async ({ body, caller }, reply) =>
      reply
        .code(201)
        .send({ token: await desk.invite(body.labels ?? [], actorOf(caller)) }),
  );

  const states: [string, string, Agent['state']][] = [
    [
      'drain',
      'Let an agent end its builds and give it no new ones',
      'draining',
    ],
    ['resume', 'Give a drained agent builds again', 'active'],
  ];
  for (const [verb, summary, state] of states) {
    app.post(
      `/agents/:agent/${verb}`,
      {
        config: admin,
        schema: {
          tags: ['agents'],
          summary,
          params: AgentParams,
          response: NoContent,
        },
      },
      async ({ params }, reply) => {
        assertFound(await agents.setState(params.agent, state));
        return reply.code(204).send();
      },
    );
  }

  app.delete(
    '/agents/:agent',
    {
      config: admin,
      schema: {
        tags: ['agents'],
        summary:
          'Remove an agent: it ends its builds, which are lost with their lease',
        params: AgentParams,
        response: NoContent,
      },
    },
    async ({ params }, reply) => {
      assertFound(await agents.remove(params.agent));
      return reply.code(204).send();
    },
  );
}

function assertFound(isFound: boolean): void {
  if (!isFound) {
    throw new NotFoundError('Agent not found');
  }
}
