import { createHash } from 'node:crypto';
import type { LakeEvent } from '@slipway/plugin-delivery-lake-backend/src/events/LakeEvent';
import { IngestService } from '@slipway/plugin-delivery-lake-backend/src/ingest/IngestService';
import { DatabaseIngestStore } from '@slipway/plugin-delivery-lake-backend/src/storage/DatabaseIngestStore';
import { openLakeDatabase } from '@slipway/plugin-delivery-lake-backend/src/storage/openLakeDatabase';
import type { Knex } from 'knex';
import { HISTORY_END } from '../load/statements';
import { config, directory } from './lakeServices';

const BATCH = 1_000;
const BATCHES = 40;
const WARM_UP_BATCHES = 5;
const SERVICES = 2_000;
const MINUTE_MS = 60_000;

/** Deployments per second. */
export interface IngestRates {
  lake: number;
  /**
   * The baseline: rows of the same size, inserted and committed in batches of the same
   * size.
   */
  plain: number;
}

function deploymentEvent(number: number): LakeEvent {
  const finishedAt = HISTORY_END - 30 * 24 * 60 * MINUTE_MS + number * 60;
  const service = `service-${(number * 7919) % SERVICES}`;
  return {
    kind: 'deployment',
    source: 'bench-ci',
    externalId: `bench-${number}`,
    occurredAt: finishedAt,
    service,
    environment: 'prod',
    status: 'SUCCESS',
    startedAt: finishedAt - 5 * MINUTE_MS,
    finishedAt,
    version: `1.${number}`,
    triggeredBy: 'ada',
    repository: `acme/${service}`,
    commit: {
      sha: createHash('sha1').update(String(number)).digest('hex'),
      message: 'Round amounts half to even',
      author: 'grace',
      committedAt: finishedAt - 90 * MINUTE_MS,
    },
  };
}

/**
 * Sends batches one after another; the first few are a warm-up and not counted.
 *
 * @returns items per second.
 */
async function rateOf(
  first: number,
  send: (events: LakeEvent[]) => Promise<void>,
): Promise<number> {
  let begun = performance.now();
  for (let batch = 0; batch < WARM_UP_BATCHES + BATCHES; batch += 1) {
    if (batch === WARM_UP_BATCHES) {
      begun = performance.now();
    }
    await send(
      Array.from({ length: BATCH }, (_, index) =>
        deploymentEvent(first + batch * BATCH + index),
      ),
    );
  }
  return (BATCHES * BATCH * 1_000) / (performance.now() - begun);
}

/** Measures the baseline, the minimum cost of storing deployments: one durable row each, with a key. */
async function plainRate(knex: Knex): Promise<number> {
  await knex.raw('DROP TABLE IF EXISTS bench_rows');
  await knex.raw(
    'CREATE TABLE bench_rows (source text, id text, body jsonb, PRIMARY KEY (source, id))',
  );
  const rate = await rateOf(0, async events => {
    await knex.raw(
      `INSERT INTO bench_rows SELECT e ->> 'source', e ->> 'externalId', e
       FROM jsonb_array_elements(?::jsonb) AS e`,
      [JSON.stringify(events)],
    );
  });
  await knex.raw('DROP TABLE bench_rows');
  return rate;
}

/**
 * Ingests deployments with their commits, a thousand at a time, each batch committed
 * before the next, like a single sender.
 *
 * @param knex - PostgreSQL database with an empty lake or the lake of an earlier run.
 */
export async function measureIngest(knex: Knex): Promise<IngestRates> {
  await openLakeDatabase({ getClient: async () => knex });
  const service = new IngestService({
    store: new DatabaseIngestStore({ knex, directory }),
    config,
    now: () => HISTORY_END,
  });
  const known = Number(
    (await knex('deployments').count({ count: '*' }))[0].count,
  );
  const lake = await rateOf(known, async events => {
    const { accepted } = await service.ingest(events.map(event => ({ event })));
    if (accepted !== events.length) {
      throw new Error(`${accepted} of ${events.length} were accepted`);
    }
  });
  return { lake, plain: await plainRate(knex) };
}
