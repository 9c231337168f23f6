import {
  acceptJson,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { Static } from 'typebox';
import { type FlagAccess, tokenOf } from '../tokens/access.ts';
import type { ApiToken } from '../model/ApiToken.ts';
import type { ApplicationStore } from '../storage/ApplicationStore.ts';
import type { UsageIntake, UsageReport } from '../usage/UsageIntake.ts';
import {
  type Loose,
  readCount,
  readCounts,
  readInterval,
  readName,
  readNames,
  readRequiredName,
  readTime,
} from './reports.ts';
import { Accepted, BulkBody, Registration, UsageBody } from './schemas.ts';

/** What is not kept of reports, for the counter of the service's metrics. */
export type Loss = 'unreadable' | 'other_project' | 'other_environment';

type Count = UsageReport['counts'][number];

interface ReportOptions {
  applications: ApplicationStore;
  usage: UsageIntake;
  /** Tells whether a flag is of none of these projects. */
  isOthers: (flag: string, projects: readonly string[]) => boolean;
  /** Counts flags of reports that are not kept. */
  lose: (reason: Loss, count: number) => void;
  now: () => number;
}

/**
 * Adds the routes by which SDKs tell of themselves: `POST /api/client/register`,
 * `/metrics` and `/metrics/bulk`. SDKs in the field say things in many ways: what can be
 * read is kept, and what cannot is counted.
 */
export async function reportRoutes(
  app: ServiceApp,
  { desk, access }: { desk: ReportDesk; access: FlagAccess },
): Promise<void> {
  const config = {
    access: access.client,
    faults: ['unsupportedMediaType'],
  } as const;
  const tags = ['client'];

  await app.register(async (scope: ServiceApp) => {
    acceptJson(scope, { faults: 'repair', otherMediaTypes: 415 });

    scope.post(
      '/api/client/register',
      {
        config,
        schema: {
          tags,
          summary: 'Register an instance of an application',
          body: Registration,
          response: { 202: Accepted },
        },
      },
      async ({ body, caller }, reply) => {
        await desk.register(body, tokenOf(caller));
        return reply.code(202).send(undefined);
      },
    );

    scope.post(
      '/api/client/metrics',
      {
        config,
        schema: {
          tags,
          summary:
            'Report usage; flags that are unknown or belong to other projects are ignored',
          body: UsageBody,
          response: { 202: Accepted },
        },
      },
      async ({ body, caller }, reply) => {
        await desk.report(body, tokenOf(caller));
        return reply.code(202).send(undefined);
      },
    );

    for (const path of ['/api/client/metrics/bulk', '/edge/metrics']) {
      scope.post(
        path,
        {
          config,
          schema: {
            tags,
            summary:
              'Report the usage of several instances, as Unleash Edge does',
            body: BulkBody,
            response: { 202: Accepted },
          },
        },
        async ({ body, caller }, reply) => {
          await desk.reportAll(body, tokenOf(caller));
          return reply.code(202).send(undefined);
        },
      );
    }
  });
}

/** Takes in what SDKs tell of themselves, on behalf of the token that they send. */
export function reportDesk(options: ReportOptions) {
  const { applications, usage, isOthers, lose, now } = options;

  /** Leaves out flags of projects that the token does not show. */
  const ownOf = <T extends { flag: string }>(
    counts: readonly T[],
    { projects }: ApiToken,
  ): T[] => {
    const own = counts.filter(({ flag }) => !isOthers(flag, projects));
    lose('other_project', counts.length - own.length);
    return own;
  };

  const register = async (
    body: Static<typeof BulkBody>['applications'][number],
    { environment }: ApiToken,
  ): Promise<void> => {
    const { started, interval = 0 } = body;
    await applications.register({
      appName: readRequiredName(body.appName, 'appName'),
      instanceId: readName(body.instanceId) ?? 'default',
      environment,
      sdkVersion: readName(body.sdkVersion) ?? null,
      strategies: readNames(body.strategies ?? []),
      startedAt: started === undefined ? now() : readTime(started, 'started'),
      intervalMs: readInterval(interval, 'interval'),
      seenAt: now(),
    });
  };

  return {
    register,

    async report(
      { appName: sentName, bucket }: Static<typeof UsageBody>,
      token: ApiToken,
    ): Promise<void> {
      const appName = readRequiredName(sentName, 'appName');
      if (!bucket) {
        return;
      }
      const at = timeOf(bucket.stop, 'bucket.stop') ?? now();
      const start = timeOf(bucket.start, 'bucket.start');
      if (start !== undefined && start > at) {
        throw new InvalidRequestError(
          'bucket.start must not be after bucket.stop',
          { field: 'bucket.start', constraint: 'maximum' },
        );
      }
      const read = readCounts(bucket.toggles, 'bucket.toggles');
      lose('unreadable', read.unreadable);
      await usage.add({
        appName,
        environment: token.environment,
        at,
        counts: ownOf(read.counts, token),
      });
    },

    async reportAll(
      body: Static<typeof BulkBody>,
      token: ApiToken,
    ): Promise<void> {
      const isOwn = ({ environment }: { environment?: Loose }) =>
        environment === undefined || environment === token.environment;
      for (const application of body.applications.filter(isOwn)) {
        await register(application, token);
      }
      const metrics = body.metrics.filter(isOwn);
      lose('other_environment', body.metrics.length - metrics.length);
      const counts = metrics.flatMap((metric, index) => {
        const [yes, no] = [readCount(metric.yes), readCount(metric.no)];
        const field = `metrics.${index}`;
        if (yes === undefined || no === undefined || yes < 0 || no < 0) {
          lose('unreadable', 1);
          return [];
        }
        const appName = readRequiredName(metric.appName, `${field}.appName`);
        const at = timeOf(metric.timestamp, `${field}.timestamp`) ?? now();
        return [{ appName, at, flag: metric.featureName, yes, no }];
      });
      const { environment } = token;
      const reports = new Map<string, UsageReport & { counts: Count[] }>();
      for (const { appName, at, ...count } of ownOf(counts, token)) {
        const key = JSON.stringify([appName, at]);
        const report = reports.get(key);
        report?.counts.push(count);
        if (!report) {
          reports.set(key, { appName, at, environment, counts: [count] });
        }
      }
      await Promise.all([...reports.values()].map(report => usage.add(report)));
    },
  };
}

export type ReportDesk = ReturnType<typeof reportDesk>;

function timeOf(value: Loose, field: string): number | undefined {
  return value === undefined || value === null
    ? undefined
    : readTime(value, field);
}
