import { actorOf, instantOf, type ServiceApp } from '@slipway/service-kit';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import { requestPresenter } from '../approval/present.ts';
import { IdPath, Requested } from '../approval/schemas.ts';
import { EnvironmentPath } from '../flags/featureSchemas.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import type { ImpactMetrics } from '../impact/ImpactMetrics.ts';
import type { Environments } from '../registers/registers.ts';
import { authorOf, type FlagAccess } from '../tokens/access.ts';
import { presentSchedule } from './present.ts';
import type { ProjectOwners } from '../tokens/ProjectOwners.ts';
import type { Schedules } from './Schedules.ts';
import {
  MetricNames,
  MetricsQuery,
  ScheduleResponse,
  ScheduleBody,
  ScheduleList,
  SchedulesQuery,
} from './schemas.ts';

const OPEN = ['active', 'paused'] as const;
const CLOSED = ['done', 'failed', 'cancelled'] as const;

const SUMMARIES = {
  pause: 'Pause a schedule',
  resume: 'Resume a schedule, with its other steps put off by the pause',
  cancel: 'Cancel a schedule',
} as const;

/** Adds `/api/admin/schedules`: scheduled changes of flags, and the metrics that can stop them. */
export function scheduleRoutes(
  app: ServiceApp,
  options: {
    schedules: Schedules;
    requests: ChangeRequests;
    flags: FlagAdmin;
    environments: Environments;
    impact: ImpactMetrics;
    owners: ProjectOwners;
    /** True if limits can count failed builds. */
    watchesBuilds: boolean;
    /** The default environment of queries. */
    environment: string;
    access: FlagAccess;
  },
): void {
  const { schedules, requests, flags, environments } = options;
  const { impact, owners, watchesBuilds, access } = options;
  const presentRequests = requestPresenter(environments);
  const tags = ['schedules'];
  const write = {
    config: { access: access.change, faults: ['conflict'] },
  } as const;

  app.get(
    '/api/admin/schedules',
    {
      config: { access: access.read },
      schema: {
        tags,
        summary: 'List schedules, newest first',
        querystring: SchedulesQuery,
        response: { 200: ScheduleList },
      },
    },
    async ({ query }) => {
      const { featureName: flag, environment, state, limit } = query;
      const states = state && (state === 'open' ? OPEN : CLOSED);
      const found = await schedules.list({ flag, environment, states, limit });
      return { schedules: found.map(presentSchedule) };
    },
  );

  app.post(
    '/api/admin/projects/:projectId/features/:featureName/environments/:environment/schedules',
    {
      ...write,
      schema: {
        tags,
        summary:
          'Turn a flag on or off, or roll it out, in steps at later times',
        params: EnvironmentPath,
        body: ScheduleBody,
        response: { 201: ScheduleResponse, 202: Requested },
      },
    },
    async ({ params, body, caller }, reply) => {
      const place = await environments.get(params.environment);
      const { name: flag } = await flags.get(
        params.featureName,
        params.projectId,
      );
      const at = { flag, environment: place.name };
      const plan = await schedules.plan(at, {
        ...body,
        steps: body.steps.map(step => ({ ...step, at: instantOf(step.at) })),
      });
      if (place.protected) {
        const author = authorOf(caller);
        const request = await requests.proposeSchedule(at, plan, author);
        const [changeRequest] = await presentRequests([request], caller);
        return reply.code(202).send({ changeRequest });
      }
      const by = actorOf(caller);
      const started = await schedules.start(at, plan, {
        by,
        isApproved: false,
      });
      return reply.code(201).send(presentSchedule(started));
    },
  );

  for (const what of ['pause', 'resume', 'cancel'] as const) {
    app.post(
      `/api/admin/schedules/:id/${what}`,
      {
        ...write,
        schema: {
          tags,
          summary: SUMMARIES[what],
          params: IdPath,
          response: { 200: ScheduleResponse },
        },
      },
      async ({ params: { id }, caller }) => {
        const by = actorOf(caller);
        await owners.assertOwnsFlag(caller, (await schedules.get(id)).flag);
        return presentSchedule(
          what === 'pause'
            ? await schedules.pause(id, by)
            : await schedules[what](id, by),
        );
      },
    );
  }

  app.get(
    '/api/admin/impact-metrics',
    {
      config: { access: access.read },
      schema: {
        tags,
        summary: 'List the impact metrics of the last 24 hours, by name',
        querystring: MetricsQuery,
        response: { 200: MetricNames },
      },
    },
    async ({ query: { environment = options.environment } }) => {
      const found = await impact.names(environment);
      return {
        metrics: found.map(({ name, kind }) => ({ name, type: kind })),
        watchesBuilds,
      };
    },
  );
}
