import type { Dialect } from './dialect';
import { HISTORY_START, type LakeSize } from './LakeSize';

/*
 * What happened, by arithmetic on the number of the service (s) and of its
 * deployment (k): the same in both databases, and known without deriving. Every
 * deployment reached production and brings two changes; one in twenty failed, with
 * one incident that is over an hour and a quarter later, before the next deployment
 * starts; a third of those is rolled back by the next.
 */

const jitter = (k: string) => `((s * 7919 + (${k}) * 104729) % 9973)`;
const failed = (k: string) =>
  `(CASE WHEN (s * 31 + (${k}) * 17 + ((${k}) * (${k})) % 101) % 20 = 0 THEN 1 ELSE 0 END)`;

/** Fills `bench_facts`: a row for each deployment, numbered in the order of time. */
export function factStatements(dialect: Dialect, size: LakeSize): string[] {
  const { services, deploymentsPerService, step } = size;
  const half = Math.floor(step / 2);
  const finished = (k: string) =>
    `${HISTORY_START} + (${k}) * ${step} + ${jitter(k)} * ${half} / 9973`;
  const isLast = `k = ${deploymentsPerService - 1}`;
  const rolledBack = `(CASE WHEN ${isLast} OR (s + k) % 3 <> 0 THEN 0 ELSE ${failed(
    'k',
  )} END)`;
  const rollsBack = `(CASE WHEN k = 0 OR (s + k - 1) % 3 <> 0 THEN 0 ELSE ${failed(
    'k - 1',
  )} END)`;
  return [
    `${dialect.scratch} bench_facts (
       d bigint, s bigint, k bigint, started bigint, finished bigint,
       failed int, linked int, rolled_back_at bigint, rolls_back int,
       unplanned int, broke bigint, fixed bigint)`,
    `INSERT INTO bench_facts
     SELECT k * ${services} + s AS d, s, k,
       finished - 120000 - (s + k) % 10 * 60000, finished,
       ${failed('k')}, (s + k) % 2,
       CASE WHEN ${rolledBack} = 1 THEN ${finished('k + 1')} END,
       ${rollsBack},
       CASE WHEN (s * 13 + k * 7) % 37 = 0 THEN 1 ELSE 0 END,
       finished + 300000 + (s * 97 + k * 53) % 600 * 1000,
       finished + 300000 + (s * 97 + k * 53) % 600 * 1000
         + 600000 + (s * 89 + k * 71) % 3000 * 1000
     FROM (
       SELECT id AS s, k, ${finished('k')} AS finished
       FROM (SELECT k, CAST(services.id AS bigint) AS s, CAST(services.id AS bigint) AS id
             FROM ${dialect.series(
               deploymentsPerService,
             )} CROSS JOIN services) AS pairs
     ) AS timed ORDER BY 1`,
  ];
}
