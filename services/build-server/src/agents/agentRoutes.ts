import type { Access, ServiceApp } from '@slipway/service-kit';
import type { BuildOutcome, BuildProgress } from '../builds/Build.ts';
import type { AgentDesk } from './AgentDesk.ts';
import { agentOfCaller, heldOf } from './agentAuth.ts';
import {
  EnrolAnswer,
  EnrolBody,
  GateAnswer,
  GateBody,
  HeldParams,
  HeldQuery,
  LogAnswer,
  LogQuery,
  NoContent,
  OutcomeBody,
  ProgressBody,
  RenewAnswer,
  RenewBody,
  SessionAnswer,
  SessionBody,
  WorkAnswer,
  WorkBody,
} from './schemas.ts';

/** Maximum bytes of one part of a log. */
const LOG_PART_BYTES = 512 * 1024;
const OUTCOME_BYTES = 8 * 1024 * 1024;

/** Registers the routes by which agents fetch builds and report their progress. */
export function agentRoutes(
  app: ServiceApp,
  options: {
    desk: AgentDesk;
    anyone: Access;
    access: Access;
    leaseMs: number;
    now: () => number;
  },
): void {
  const { desk, anyone, access, leaseMs, now } = options;
  const { reports } = desk;
  const config = { access, faults: ['conflict' as const] };

  app.post(
    '/agent/enrolment',
    {
      config: { access: anyone, faults: ['unauthenticated', 'conflict'] },
      schema: {
        tags: ['agents'],
        summary: 'Enrol an agent with a one-time token',
        body: EnrolBody,
        response: { 201: EnrolAnswer },
      },
    },
    async ({ body }, reply) => {
      const { agent, token } = await desk.enrol(body);
      const { id, labels } = agent;
      return reply.code(201).send({ id, token, labels });
    },
  );

  app.post(
    '/agent/session',
    {
      config,
      schema: {
        tags: ['agents'],
        summary: 'Begin a session; builds of an earlier session are lost',
        body: SessionBody,
        response: { 200: SessionAnswer },
      },
    },
    async ({ body, caller }) => {
      const agent = agentOfCaller(caller);
      await desk.begin(agent, body);
      return { id: agent.id, name: agent.name, leaseMs };
    },
  );

  app.post(
    '/agent/work',
    {
      config,
      schema: {
        tags: ['agents'],
        summary: 'Wait for builds',
        body: WorkBody,
        response: { 200: WorkAnswer },
      },
    },
    async ({ body, caller }, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const agent = agentOfCaller(caller);
      return { orders: await desk.take(agent, body, gone.signal) };
    },
  );

  app.post(
    '/agent/renewal',
    {
      config,
      schema: {
        tags: ['agents'],
        summary: 'Renew the lease on builds',
        body: RenewBody,
        response: { 200: RenewAnswer },
      },
    },
    async ({ body, caller }) => desk.renew(agentOfCaller(caller), body),
  );

  app.post(
    '/agent/builds/:id/acceptance',
    {
      config,
      schema: {
        tags: ['agents'],
        summary: 'Accept a build before it begins',
        params: HeldParams,
        querystring: HeldQuery,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await desk.accept(heldOf(request));
      return reply.code(204).send();
    },
  );

  app.post(
    '/agent/builds/:id/gates',
    {
      config,
      schema: {
        tags: ['agents'],
        summary: 'Request a decision that a build waits for',
        params: HeldParams,
        querystring: HeldQuery,
        body: GateBody,
        response: { 200: GateAnswer },
      },
    },
    async request => {
      const { gates } = await reports.exchangeOf(heldOf(request));
      return { decision: (await gates.ask(request.body)) ?? null };
    },
  );

  app.put(
    '/agent/builds/:id/progress',
    {
      config,
      bodyLimit: OUTCOME_BYTES,
      schema: {
        tags: ['agents'],
        summary: 'Report the steps of a build',
        params: HeldParams,
        querystring: HeldQuery,
        body: ProgressBody,
        response: NoContent,
      },
    },
    async (request, reply) => {
      const progress = request.body as BuildProgress;
      await reports.saveProgress(heldOf(request), progress);
      return reply.code(204).send();
    },
  );

  app.put(
    '/agent/builds/:id/outcome',
    {
      config,
      bodyLimit: OUTCOME_BYTES,
      schema: {
        tags: ['agents'],
        summary: 'Report the end of a build',
        params: HeldParams,
        querystring: HeldQuery,
        body: OutcomeBody,
        response: NoContent,
      },
    },
    async (request, reply) => {
      const outcome = {
        ...(request.body as Omit<BuildOutcome, 'finishedAt'>),
        // The clocks of agents are not trusted.
        finishedAt: now(),
      };
      await reports.finish(heldOf(request), outcome);
      return reply.code(204).send();
    },
  );

  app.register(async (routes: ServiceApp) => {
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: LOG_PART_BYTES },
      (_request, body, done) => done(null, body),
    );
    routes.put(
      '/agent/builds/:id/log',
      {
        config,
        bodyLimit: LOG_PART_BYTES,
        schema: {
          tags: ['agents'],
          summary: 'Send a part of a log, and learn where the next one begins',
          params: HeldParams,
          querystring: LogQuery,
          consumes: ['application/octet-stream'],
          response: { 200: LogAnswer },
        },
      },
      async request => {
        const { query, body } = request;
        const part = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        const held = heldOf(request);
        return { end: await reports.writeLog(held, query.offset, part) };
      },
    );
  });
}
