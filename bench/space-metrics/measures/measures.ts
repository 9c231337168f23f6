import type { Knex } from 'knex';
import type { BareProcess } from '../bare/BareProcess.ts';
import {
  type Organisation,
  pathOf,
  type Question,
  userName,
} from '../Organisation.ts';
import { sendTimedLoad } from '../../timedLoad.ts';
import {
  requestHeaders,
  type SpaceMetricsProcess,
} from '../SpaceMetricsProcess.ts';

const CONNECTIONS = 32;
const WARM_UP_MS = 1_000;
/**
 * Rounds alternate between the servers, so that other load on the machine slows both.
 */
const ROUNDS = 3;

/** Requests per second for a cached response. */
export interface CachedRates {
  service: number;
  bare: number;
}

/**
 * Compares a cached response of the service with the same response of a plain route.
 */
export async function measureCached(
  service: SpaceMetricsProcess,
  options: { bare: BareProcess; question: Question; seconds: number },
): Promise<CachedRates> {
  const { bare, question, seconds } = options;
  const path = pathOf(question);
  await bare.answerWith(await service.get(path));
  const rate = async (origin: string, askedPath: string) => {
    const { perSecond } = await sendTimedLoad({
      origin,
      request: { method: 'GET', path: askedPath, headers: requestHeaders },
      connections: CONNECTIONS,
      warmUpMs: WARM_UP_MS,
      measureMs: (seconds * 1_000) / ROUNDS,
    });
    return perSecond / ROUNDS;
  };
  const rates: CachedRates = { service: 0, bare: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.bare += await rate(bare.url, '/answer');
    rates.service += await rate(service.url, path);
  }
  return rates;
}

const READS_WARM_UP_MS = 2_000;

/**
 * Runs one query after another over one connection.
 *
 * @param service - service without a cache.
 * @returns duration of each request in milliseconds, by query.
 */
export async function measureReads(
  service: SpaceMetricsProcess,
  options: { questions: readonly Question[]; seconds: number },
): Promise<number[][]> {
  const times: number[][] = [];
  for (const question of options.questions) {
    const { latencies } = await sendTimedLoad({
      origin: service.url,
      request: {
        method: 'GET',
        path: pathOf(question),
        headers: requestHeaders,
      },
      connections: 1,
      warmUpMs: READS_WARM_UP_MS,
      measureMs: options.seconds * 1_000,
    });
    times.push(latencies);
  }
  return times;
}

const SUBMISSIONS_WARM_UP_MS = 3_000;

/** Surveys per second. */
export interface SubmissionRates {
  service: number;
  /** The baseline: one row per survey, written by a plain route. */
  bare: number;
  /** Milliseconds until the service acknowledged each survey. */
  latencies: number[];
}

/**
 * Sends pulse surveys over 32 connections.
 *
 * @param options.knex - database of the service.
 * @throws Error unless exactly the last survey of each person is stored.
 */
export async function measureSubmissions(
  service: SpaceMetricsProcess,
  options: {
    bare: BareProcess;
    knex: Knex;
    organisation: Organisation;
    seconds: number;
  },
): Promise<SubmissionRates> {
  const { bare, knex, organisation, seconds } = options;
  const bodies = surveysOf(organisation);
  const send = (origin: string, path: string) =>
    sendTimedLoad({
      origin,
      request: { method: 'POST', path, headers: requestHeaders },
      bodies,
      connections: CONNECTIONS,
      warmUpMs: SUBMISSIONS_WARM_UP_MS,
      measureMs: seconds * 1_000,
    });
  const plain = await send(bare.url, '/rows');
  const begun = Date.now();
  const sent = await send(service.url, '/api/v1/surveys/pulse/submit');
  const kept = await countSurveys(knex, begun);
  // People submit in turn, and only the last survey of each person in a cycle is kept.
  const expected = Math.min(sent.acknowledged, organisation.people);
  if (kept !== expected) {
    throw new Error(`${expected} people were answered, ${kept} surveys kept`);
  }
  return {
    service: sent.perSecond,
    bare: plain.perSecond,
    latencies: sent.latencies,
  };
}

/** Returns one survey of each person, in an order that mixes the teams. */
function surveysOf({ people, teams }: Organisation): string[] {
  return Array.from({ length: people }, (_, number) => {
    const person = ((number * 7919) % people) + 1;
    return JSON.stringify({
      user_id: userName(person),
      team: `team-${(person % teams) + 1}`,
      responses: {
        overall_satisfaction: (number % 5) + 1,
        productivity_this_week: (number % 4) + 1,
        recommend: number % 11,
        blockers: 'slow builds',
        wins: 'shipped the login',
      },
    });
  });
}

async function countSurveys(knex: Knex, since: number): Promise<number> {
  const [{ count }] = await knex('pulse_surveys')
    .where('occurred_at', '>=', since)
    .count({ count: '*' });
  return Number(count);
}
