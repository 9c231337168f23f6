import { isDeepStrictEqual } from 'node:util';
import type { LakeDatabase } from '../databases';
import { createLakeServices } from './lakeServices';
import { questions, type Question } from './questions';

const COLD_RUNS = 3;
const RUNS = 30;
const WARM_UP_RUNS = 5;
const PLAIN_RUNS = 3;

/** Durations of one query, in milliseconds. */
export interface ReadTimes {
  question: Question;
  /** Durations with cold caches. */
  cold: number[];
  /** Durations with a warm database, but without the cache of the lake's services. */
  fresh: number[];
  /** Repeated, with the services' cache. */
  again: number[];
  /** Plain SQL on the warm database. */
  plain: number[];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function repeat(
  count: number,
  work: () => Promise<number>,
): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < count; run += 1) {
    times.push(await work());
  }
  return times;
}

async function measure(
  database: LakeDatabase,
  question: Question,
): Promise<ReadTimes> {
  const cold = await repeat(COLD_RUNS, async () => {
    await database.dropCaches();
    // Connects beforehand, because users find an open connection in the pool.
    await database.knex.raw('SELECT 1');
    const services = createLakeServices(database.knex);
    return timed(() => question.ask(services));
  });
  const { knex } = database;
  const fresh = await repeat(WARM_UP_RUNS + RUNS, () => {
    const services = createLakeServices(knex);
    return timed(() => question.ask(services));
  });
  const services = createLakeServices(knex);
  const answer = question.essence(await question.ask(services));
  const again = await repeat(RUNS, () => timed(() => question.ask(services)));
  const plain = await repeat(PLAIN_RUNS, () =>
    timed(async () => {
      const plainly = await question.askPlainly(knex);
      if (!isDeepStrictEqual(plainly, answer)) {
        throw new Error(
          `${question.what}: the lake says ${JSON.stringify(
            answer,
          )}, plain SQL ${JSON.stringify(plainly)}`,
        );
      }
    }),
  );
  return { question, cold, fresh: fresh.slice(WARM_UP_RUNS), again, plain };
}

/** Runs every query on a loaded lake, one after another. */
export async function measureReads(
  database: LakeDatabase,
): Promise<ReadTimes[]> {
  const all: ReadTimes[] = [];
  for (const question of questions) {
    all.push(await measure(database, question));
  }
  return all;
}
