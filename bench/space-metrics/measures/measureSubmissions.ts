import type { Knex } from 'knex';
import type { BareProcess } from '../bare/BareProcess.ts';
import { sendLoad } from '../client/sendLoad.ts';
import type { Organisation } from '../Organisation.ts';
import {
  requestHeaders,
  type SpaceMetricsProcess,
} from '../SpaceMetricsProcess.ts';

const CONNECTIONS = 32;
const WARM_UP_MS = 3_000;

/** Surveys a second. */
export interface SubmissionRates {
  service: number;
  /** Each kept as one bare row by a bare route. */
  bare: number;
  /** Milliseconds until each was acknowledged by the service. */
  latencies: number[];
}

/**
 * Sends pulse surveys over 32 connections.
 *
 * @param options.knex - of the service's database.
 * @throws Error when not exactly the last survey of each person is there.
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
  const send = (origin: string, path: string) =>
    sendLoad({
      origin,
      path,
      headers: requestHeaders,
      connections: CONNECTIONS,
      warmUpMs: WARM_UP_MS,
      measureMs: seconds * 1_000,
      submissions: organisation,
    });
  const plain = await send(bare.url, '/rows');
  const begun = Date.now();
  const sent = await send(service.url, '/api/v1/surveys/pulse/submit');
  const kept = await countSurveys(knex, begun);
  // People answer in turn, and of each the last answer of a cycle is kept.
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

async function countSurveys(knex: Knex, since: number): Promise<number> {
  const [{ count }] = await knex('pulse_surveys')
    .where('occurred_at', '>=', since)
    .count({ count: '*' });
  return Number(count);
}
