import type { IncomingHttpHeaders } from 'node:http';
import {
  acceptJson,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { Static } from 'typebox';
import { type FlagAccess, tokenOf } from '../tokens/access.ts';
import type { ApiToken } from '../model/ApiToken.ts';
import type {
  ApplicationStore,
  EdgeUse,
  InstanceKey,
} from '../storage/ApplicationStore.ts';
import type { ImpactMetrics } from '../impact/ImpactMetrics.ts';
import { readImpact } from '../impact/readImpact.ts';
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
  readVariants,
} from './reports.ts';
import { Accepted, BulkBody, Registration, UsageBody } from './schemas.ts';

/** The reasons for discarding parts of reports, for the service's metrics. */
export type Loss =
  'unreadable' | 'other_project' | 'other_environment' | 'too_many_series';

type Count = UsageReport['counts'][number];

interface ReportOptions {
  applications: Pick<ApplicationStore, 'register'>;
  /** Records an instance that has reported usage or read flags. */
  noteSeen: (instance: InstanceKey) => void;
  /** Records an application whose usage Unleash Edge has reported. */
  noteBehindEdge: (use: EdgeUse) => void;
  usage: UsageIntake;
  impact: Pick<ImpactMetrics, 'add'>;
  /** Checks whether a flag belongs to none of these projects. */
  isOthers: (flag: string, projects: readonly string[]) => boolean;
  /** Counts discarded parts of reports. */
  lose: (reason: Loss, count: number) => void;
  now: () => number;
}

/**
 * Adds the routes for reports of SDKs: `POST /api/client/register`, `/metrics` and
 * `/metrics/bulk`. The formats of SDKs vary: readable parts are kept, and unreadable
 * ones are counted.
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

/** Returns functions that store reports, without the parts that the SDK's token may not report. */
export function reportDesk(options: ReportOptions) {
  const { applications, noteSeen, noteBehindEdge } = options;
  const { usage, impact, isOthers, lose, now } = options;

  const addImpact = async (
    sent: unknown,
    { environment }: ApiToken,
  ): Promise<void> => {
    const read = readImpact(sent, { environment, now: now() });
    lose('unreadable', read.unreadable);
    await impact.add(read.records);
  };

  /** Drops flags of projects outside of the token's scope. */
  const ownOf = <T extends { flag: string }>(
    counts: readonly T[],
    { projects }: ApiToken,
  ): T[] => {
    const own = counts.filter(({ flag }) => !isOthers(flag, projects));
    lose('other_project', counts.length - own.length);
    return own;
  };

  const register = (
    sent: Static<typeof BulkBody>['applications'],
    {
      environment,
      isBehindEdge,
    }: { environment: string; isBehindEdge: boolean },
  ): Promise<void> =>
    applications.register(
      sent.map(body => {
        const { started, interval = 0 } = body;
        return {
          appName: readRequiredName(body.appName, 'appName'),
          instanceId: readInstance(body.instanceId),
          environment,
          sdkVersion: readName(body.sdkVersion) ?? null,
          strategies: readNames(body.strategies ?? []),
          startedAt:
            started === undefined ? now() : readTime(started, 'started'),
          intervalMs: readInterval(interval, 'interval'),
          seenAt: now(),
          isBehindEdge,
        };
      }),
    );

  return {
    register: (body: Static<typeof Registration>, { environment }: ApiToken) =>
      register([body], { environment, isBehindEdge: false }),

    /** Records the instance that an SDK names in the headers of each request for flags. */
    noteReader(headers: IncomingHttpHeaders, { environment }: ApiToken): void {
      const appName = readName(headers['unleash-appname']);
      if (appName) {
        const instanceId = readInstance(headers['unleash-instanceid']);
        noteSeen({ appName, instanceId, environment });
      }
    },

    async report(
      body: Static<typeof UsageBody>,
      token: ApiToken,
    ): Promise<void> {
      const { bucket, impactMetrics } = body;
      const { environment } = token;
      const appName = readRequiredName(body.appName, 'appName');
      const instanceId = readInstance(body.instanceId);
      noteSeen({ appName, instanceId, environment });
      if (!bucket) {
        await addImpact(impactMetrics, token);
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
      await Promise.all([
        usage.add({
          appName,
          environment,
          at,
          counts: ownOf(read.counts, token),
        }),
        addImpact(impactMetrics, token),
      ]);
    },

    async reportAll(
      body: Static<typeof BulkBody>,
      token: ApiToken,
    ): Promise<void> {
      const isOwn = ({ environment }: { environment?: Loose }) =>
        environment === undefined || environment === token.environment;
      const { environment } = token;
      await register(body.applications.filter(isOwn), {
        environment,
        isBehindEdge: true,
      });
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
        const sdkVersion = readName(metric.sdkVersion) ?? null;
        noteBehindEdge({ appName, environment, sdkVersion });
        const at = timeOf(metric.timestamp, `${field}.timestamp`) ?? now();
        const variants = readVariants(metric.variants);
        const flag = metric.featureName;
        return [{ appName, at, flag, yes, no, variants }];
      });
      const reports = new Map<string, UsageReport & { counts: Count[] }>();
      for (const { appName, at, ...count } of ownOf(counts, token)) {
        const key = JSON.stringify([appName, at]);
        const report = reports.get(key);
        report?.counts.push(count);
        if (!report) {
          reports.set(key, { appName, at, environment, counts: [count] });
        }
      }
      await Promise.all([
        ...[...reports.values()].map(report => usage.add(report)),
        addImpact(body.impactMetrics, token),
      ]);
    },
  };
}

export type ReportDesk = ReturnType<typeof reportDesk>;

/** Reads the name of an instance; unnamed instances of an application share the name `default`. */
function readInstance(value: Loose): string {
  return readName(value) ?? 'default';
}

function timeOf(value: Loose, field: string): number | undefined {
  return value === undefined || value === null
    ? undefined
    : readTime(value, field);
}
