import type { Knex } from 'knex';
import { HISTORY_END } from '../load/LakeSize';
import type { LakeServices } from './lakeServices';
import { plainHistory, plainMetrics } from './plainSql';

const DAY_MS = 24 * 60 * 60 * 1000;
const SERVICE = 'service-7';
const TEAM = 'team-1';

/** A read that is measured. */
export interface Question {
  what: string;
  /** Milliseconds that are promised. */
  target: number;
  /** It rests on as many records in a small lake as in a large one. */
  sameSize: boolean;
  ask(services: LakeServices): Promise<unknown>;
  /** The same from the records with SQL alone. @returns what to compare answers by. */
  askPlainly(knex: Knex): Promise<unknown>;
  /** What of the answer the plain one has too. */
  essence(answer: unknown): unknown;
}

function days(count: number) {
  const date = (time: number) => new Date(time).toISOString().slice(0, 10);
  const start = HISTORY_END - count * DAY_MS;
  return {
    start,
    end: HISTORY_END,
    query: { startDate: date(start), endDate: date(HISTORY_END - DAY_MS) },
  };
}

interface DoraAnswer {
  metrics: Record<
    'deploymentFrequency' | 'leadTimeForChanges' | 'changeFailureRate',
    { value: number; samples: number }
  >;
}

function dora(options: {
  what: string;
  target: number;
  sameSize: boolean;
  count: number;
  team?: string;
}): Question {
  const { count, team } = options;
  const { start, end, query } = days(count);
  return {
    ...options,
    ask: services =>
      services.dora.metrics({ ...query, project: undefined, team }),
    askPlainly: knex => plainMetrics(knex, { start, end, team }),
    essence: answer => {
      const { metrics } = answer as DoraAnswer;
      return {
        deployments: metrics.deploymentFrequency.samples,
        failureRate: metrics.changeFailureRate.value.toFixed(2),
        leadTimeHours: metrics.leadTimeForChanges.value.toFixed(2),
      };
    },
  };
}

/** What people and pages ask most. */
export const questions: readonly Question[] = [
  dora({
    what: 'One team, 30 days',
    target: 10,
    sameSize: true,
    count: 30,
    team: TEAM,
  }),
  dora({ what: 'All, 30 days', target: 50, sameSize: false, count: 30 }),
  dora({ what: 'All, 365 days', target: 150, sameSize: false, count: 365 }),
  {
    what: 'History of one service',
    target: 5,
    sameSize: true,
    ask: services => services.history.history({ service: SERVICE, limit: 20 }),
    askPlainly: knex => plainHistory(knex, SERVICE),
    essence: answer => {
      const { total, deployments } = answer as {
        total: number;
        deployments: { id: string }[];
      };
      return { total, ids: deployments.map(({ id }) => id) };
    },
  },
];
