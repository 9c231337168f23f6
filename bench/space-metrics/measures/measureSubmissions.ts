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
 * @throws Error when not each acknowledged survey is there once.
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
  const before = await countSurveys(knex);
  const sent = await send(service.url, '/api/v1/surveys/pulse/submit');
  const kept = (await countSurveys(knex)) - before;
  if (kept !== sent.acknowledged) {
    throw new Error(`${sent.acknowledged} acknowledged, ${kept} kept`);
  }
  return {
    service: sent.perSecond,
    bare: plain.perSecond,
    latencies: sent.latencies,
  };
}

async function countSurveys(knex: Knex): Promise<number> {
  const [{ count }] = await knex('pulse_surveys').count({ count: '*' });
  return Number(count);
}
