import { actorOf, NotFoundError, type ServiceApp } from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import type { Worker } from '../execution/Worker.ts';
import type { JobHistory } from '../storage/JobHistory.ts';
import type { BuildLookup } from './BuildLookup.ts';
import { exported, ExportQuery } from './tree.ts';
import { presentBuild } from './presentBuild.ts';
import { BuildAnswer, BuildParams } from './schemas.ts';
import { baseUrlOf, type Addresses, buildUrl } from './urls.ts';

const TestReport = Type.Object(
  {
    failCount: Type.Integer(),
    passCount: Type.Integer(),
    skipCount: Type.Integer(),
  },
  { additionalProperties: true },
);

const Variables = Type.Object(
  { envMap: Type.Record(Type.String(), Type.String()) },
  { additionalProperties: true },
);

/** Registers the routes of one build: its details, its tests, its variables, and stopping it. */
export function buildInfoRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    lookup: BuildLookup;
    history: Pick<JobHistory, 'estimateDuration'>;
    worker: Pick<Worker, 'stopBuild'>;
    addresses: Addresses;
    now: () => number;
  },
): void {
  const { permissions, lookup, history, worker, addresses, now } = options;
  const config = { access: permissions.read };

  const buildRoute = {
    config,
    preHandler: exported,
    schema: {
      tags: ['builds'],
      summary: 'Get a build',
      params: BuildParams,
      querystring: ExportQuery,
      response: { 200: BuildAnswer },
    },
  };
  const present = async (request: FastifyRequest) => {
    const { params } = request as { params: Static<typeof BuildParams> };
    const build = await lookup.build(params);
    return presentBuild(build, {
      ...{ base: baseUrlOf(request, addresses), now: now() },
      ...(build.state !== 'finished' && {
        estimatedDuration: await history.estimateDuration(build.job),
      }),
    });
  };
  for (const url of [
    '/job/:job/:build/api/json',
    '/job/:job/:build/api/python',
    '/job/:job/:build/api/xml',
    // Clients are redirected here after stopping it. Other names are other routes.
    '/job/:job/:build(^\\d+$|^last[A-Z][A-Za-z]+$)',
  ]) {
    app.get(url, buildRoute, present);
  }
  // Some clients use POST for reading.
  app.post(
    '/job/:job/:build/api/json',
    { ...buildRoute, schema: { ...buildRoute.schema, hide: true } },
    present,
  );

  app.get(
    '/job/:job/:build/testReport/api/json',
    {
      config,
      preHandler: exported,
      schema: {
        tags: ['builds'],
        summary: 'Get the test results of a build',
        params: BuildParams,
        querystring: ExportQuery,
        response: { 200: TestReport },
      },
    },
    async ({ params }) => {
      const { tests } = await lookup.build(params);
      if (!tests) {
        throw new NotFoundError(
          `${params.job} ${params.build} has no test report`,
        );
      }
      const { total, failed, skipped, failures } = tests;
      return {
        _class: 'hudson.tasks.junit.TestResult',
        failCount: failed,
        skipCount: skipped,
        passCount: total - failed - skipped,
        failures,
      };
    },
  );

  app.get(
    '/job/:job/:build/buildNumber',
    {
      config,
      schema: {
        tags: ['builds'],
        summary: 'Read the number of a build, which a permalink may name',
        params: BuildParams,
      },
    },
    async ({ params }, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(String((await lookup.build(params)).number)),
  );

  app.get(
    '/job/:job/:build/injectedEnvVars/api/json',
    {
      config,
      preHandler: exported,
      schema: {
        tags: ['builds'],
        summary:
          'Get the parameters of a build and what identifies it, without secrets',
        params: BuildParams,
        querystring: ExportQuery,
        response: { 200: Variables },
      },
    },
    async request => {
      const build = await lookup.build(request.params);
      return {
        _class: 'org.jenkinsci.plugins.envinject.EnvInjectVarList',
        envMap: {
          ...build.parameters,
          JOB_NAME: build.job,
          BUILD_NUMBER: String(build.number),
          BUILD_ID: String(build.number),
          BUILD_URL: buildUrl(baseUrlOf(request, addresses), build),
        },
      };
    },
  );

  for (const verb of ['stop', 'term', 'kill']) {
    app.post(
      `/job/:job/:build/${verb}`,
      {
        config,
        onRequest: permissions.demandTrigger,
        schema: {
          tags: ['builds'],
          summary: 'Stop a running build',
          params: BuildParams,
          response: {
            [verb === 'stop' ? 302 : 200]: {
              description: 'The build is being stopped.',
            },
          },
        },
      },
      async (request, reply) => {
        // A build has its number from the trigger on, so it may still be queued; it is then removed
        // from the queue.
        const build = await lookup.trigger(request.params);
        await worker.stopBuild(build.id, actorOf(request.caller));
        // As in Jenkins: clients treat any other response as a failure.
        if (verb !== 'stop') {
          return reply.code(200).send();
        }
        return reply.redirect(buildUrl(baseUrlOf(request, addresses), build));
      },
    );
  }
}
