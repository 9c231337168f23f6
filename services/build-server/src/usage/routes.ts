import { InvalidRequestError, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import { nullable } from '../jenkins/schemas.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { UsageStore } from '../storage/UsageStore.ts';
import type { DiskUsage } from './DiskUsage.ts';
import {
  byJobAndTeam,
  DAY_MS,
  partMsOf,
  partsOf,
  secondsOf,
  sumOf,
  toUsage,
} from './usageOf.ts';

const MAX_DAYS = 400;

const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  patternDescription: 'must be a day, e.g. 2026-11-23',
});
const Count = Type.Integer({ minimum: 0 });

const UsageQuery = Type.Object({
  from: Type.Unsafe<string>({ ...Day, description: 'First day, in UTC.' }),
  to: Type.Unsafe<string>({
    ...Day,
    description: `Last day, in UTC; ${MAX_DAYS} days after the first at most.`,
  }),
});

const loadFields = {
  builds: Count,
  minutes: Type.Number({
    description:
      'Minutes that builds ran, without those in which they waited for a person.',
  }),
  judged: Type.Integer({
    description:
      'Builds that succeeded, were unstable or failed; aborted ones are not counted.',
  }),
  succeeded: Count,
};
const Queue = nullable(
  Type.Object(
    { p50: Type.Number(), p95: Type.Number() },
    { description: 'Seconds that builds waited for an executor.' },
  ),
);
const Team = nullable(Type.String({ description: 'Owner of the job.' }));
const Usage = Type.Object({
  totals: Type.Object({ ...loadFields, queue: Queue }),
  parts: Type.Array(
    Type.Object({
      from: Day,
      to: Day,
      ...loadFields,
      queue: Queue,
      executors: Type.Number({
        description: 'Average number of busy executors.',
      }),
      isOver: Type.Boolean({
        description: 'False for a part that is not over yet.',
      }),
    }),
    { description: 'Days, or weeks if there are more than 92 days.' },
  ),
  jobs: Type.Array(
    Type.Object({ job: Type.String(), team: Team, ...loadFields }),
    { description: 'With their branches; most minutes first, 200 at most.' },
  ),
  teams: Type.Array(Type.Object({ team: Team, ...loadFields })),
  disk: nullable(
    Type.Object(
      {
        logs: Count,
        artifacts: Count,
        caches: Count,
        measuredAt: Type.Integer({
          description: 'Milliseconds since the Unix epoch.',
        }),
      },
      { description: 'Bytes; null until they are counted.' },
    ),
  ),
});

/** Registers the route of the usage report, for admins. */
export function usageRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    jobs: JobCatalog;
    store: UsageStore;
    disk: DiskUsage<'logs' | 'artifacts' | 'caches'>;
    now: () => number;
  },
): void {
  const { permissions, jobs, store, disk } = options;

  app.get(
    '/usage',
    {
      config: { access: permissions.admin },
      schema: {
        tags: ['server'],
        summary: 'Get the usage of the builds that started in a period',
        querystring: UsageQuery,
        response: { 200: Usage },
      },
    },
    async ({ query }) => {
      const days = {
        from: startOf(query.from, 'from'),
        to: startOf(query.to, 'to') + DAY_MS,
      };
      const length = days.to - days.from;
      if (length <= 0 || length > MAX_DAYS * DAY_MS) {
        throw new InvalidRequestError(
          `to must be a day within ${MAX_DAYS} days after from`,
          { field: 'to', constraint: 'range' },
        );
      }
      const now = options.now();
      const span = { ...days, partMs: partMsOf(days), now };
      const [loads, jobLoads, waits, allWaits, bytes] = await Promise.all([
        store.byPart(span),
        store.byJob(span),
        store.waits(span),
        store.waits({ ...span, partMs: length }),
        disk.read(),
      ]);
      return {
        totals: {
          ...toUsage(sumOf(loads.values())),
          queue: secondsOf(allWaits.get(0)),
        },
        parts: partsOf({ ...days, now }, { loads, waits }),
        ...byJobAndTeam(jobLoads, jobs),
        disk: bytes ? { ...bytes.bytes, measuredAt: bytes.measuredAt } : null,
      };
    },
  );
}

/** Returns the start of a day in UTC. @throws InvalidRequestError if it is not a date. */
function startOf(day: string, field: string): number {
  const time = Date.parse(`${day}T00:00:00Z`);
  // Some engines parse 30 February as 2 March.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) {
    throw new InvalidRequestError(`${field} is not a valid date`, {
      field,
      constraint: 'format',
    });
  }
  return time;
}
