import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { LoggerService } from '@backstage/backend-plugin-api';
import { exclusiveTransaction, isPostgres } from '@slipway/portal-kit/database';
import type { Knex } from 'knex';
import { DoraConfig } from '../config';
import { LocalDays } from '../derivation/dayCounts';
import { Deriver, DrainQueue } from '../derivation/Deriver';
import { type BigInteger, momentTable, queryRows } from './BatchSql';
import { DerivationSettings, deriveServices } from './deriveServices';
import { findLastMark, findMarkedServices, hasMarks, takeMarks } from './marks';
import { sumCountsAnew, sumHistogramsAnew } from './rollups';

// Incremented whenever the same input is derived to a different result.
const DERIVATION_VERSION = 1;
const FINGERPRINT_KEY = 'derivation_fingerprint';

/** Returns the fingerprint of the settings that derived tables depend on. */
function fingerprintOf(settings: {
  timeZone: string;
  incidentWindow: number;
}): string {
  return JSON.stringify({
    version: DERIVATION_VERSION,
    timeZone: settings.timeZone,
    incidentWindow: settings.incidentWindow,
  });
}

/** Reads the fingerprint of the last completed rebuild. */
async function readFingerprint(knex: Knex): Promise<string | undefined> {
  const row = await knex('lake_settings')
    .where('key', FINGERPRINT_KEY)
    .first('value');
  return row?.value;
}

/** Writes the fingerprint of a rebuild, in the transaction that completes it. */
async function writeFingerprint(
  trx: Knex.Transaction,
  fingerprint: string,
): Promise<void> {
  await trx('lake_settings')
    .insert({ key: FINGERPRINT_KEY, value: fingerprint })
    .onConflict('key')
    .merge();
}

// Any number that is unique in this database.
const LOCK_ID = 7_305_811_942;

/** Runs a derivation step in a transaction. Steps run one at a time across replicas. */
async function deriveTransaction<T>(
  knex: Knex,
  step: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return exclusiveTransaction(knex, LOCK_ID, async trx => {
    if (isPostgres(knex)) {
      // The planner cannot know how short the joined lists are, and would read ten million
      // deployments instead of looking up a hundred.
      await trx.raw(
        'SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off',
      );
    }
    return step(trx);
  });
}

// Number of deployments that one transaction may load, which take up some hundred megabytes.
const DEPLOYMENTS_PER_BATCH = 60_000;
const SERVICES_PER_BATCH = 200;

/**
 * Divides marked services into batches that fit into memory and hold the lock for at most a
 * few seconds.
 */
async function sizeBatches(
  knex: Knex,
  serviceIds: readonly number[],
): Promise<number[][]> {
  const earliest = await knex('dirty_marks')
    .whereIn('service_id', [...serviceIds])
    .groupBy('service_id')
    .select<{ service_id: number; moment: BigInteger | null }[]>(
      'service_id',
      // It is not known yet what a change affects, but that is usually little.
      knex.raw('MIN(since) AS moment'),
    );
  const list = momentTable(
    knex,
    earliest.flatMap(({ service_id: serviceId, moment }) =>
      moment === null ? [] : [{ serviceId, moment: Number(moment) }],
    ),
  );
  const rows = await queryRows<{
    service_id: number;
    deployments: BigInteger;
  }>(
    knex,
    `SELECT r.service_id, (
       SELECT COUNT(*) FROM deployments d
       WHERE d.counted = 1 AND d.service_id = r.service_id AND d.finished_at >= r.moment
     ) AS deployments FROM ${list.sql}`,
    list.bindings,
  );
  const sizes = new Map(
    rows.map(row => [row.service_id, Number(row.deployments)]),
  );
  const batches: number[][] = [];
  let size = Infinity;
  for (const id of serviceIds) {
    const own = sizes.get(id) ?? 0;
    const batch = batches.at(-1);
    if (
      !batch ||
      batch.length === SERVICES_PER_BATCH ||
      size + own > DEPLOYMENTS_PER_BATCH
    ) {
      batches.push([id]);
      size = own;
    } else {
      batch.push(id);
      size += own;
    }
  }
  return batches;
}

/** Options of {@link DatabaseDeriver}. */
interface DatabaseDeriverOptions {
  knex: Knex;
  dora: Pick<DoraConfig, 'incidentWindow'>;
  /** IANA name of the time zone for days. */
  timeZone: string;
  logger?: LoggerService;
}

// Number of marked services that are read at a time.
const SERVICES_PER_LOOK = 200;
// Number of services that a rebuild marks at a time.
const SERVICES_PER_MARKING = 500;

/**
 * Derives within the lake's database. A step removes the marks of some services and writes
 * their derived rows in one transaction: if the process dies, the marks remain for the next
 * one.
 */
export class DatabaseDeriver implements Deriver {
  readonly #knex: Knex;
  readonly #logger?: LoggerService;
  readonly #settings: DerivationSettings;
  readonly #fingerprint: string;
  readonly #queue = new DrainQueue(serviceIds => this.#drainAll(serviceIds));

  constructor(options: DatabaseDeriverOptions) {
    const { knex, dora, timeZone, logger } = options;
    const { incidentWindow } = dora;
    this.#knex = knex;
    this.#logger = logger;
    this.#settings = { days: new LocalDays(timeZone), incidentWindow };
    this.#fingerprint = fingerprintOf({ timeZone, incidentWindow });
  }

  async drain(serviceIds?: number[]): Promise<void> {
    if (await this.hasDirty(serviceIds)) {
      await this.#queue.run(serviceIds);
    }
  }

  /** Cheaply checks whether these services, or any, have something to derive. */
  async hasDirty(serviceIds?: number[]): Promise<boolean> {
    return hasMarks(this.#knex, serviceIds);
  }

  /**
   * Returns whether derived data matches the current time zone, incident window and
   * definitions. If not, {@link rebuild} is due.
   */
  async isCurrent(): Promise<boolean> {
    return (await readFingerprint(this.#knex)) === this.#fingerprint;
  }

  /**
   * Marks everything dirty, drains, and recomputes the rollups. Can be repeated after an
   * interruption. Events that arrive in the meantime are derived too.
   */
  async rebuild(
    onProgress?: (done: number, total: number) => void,
  ): Promise<void> {
    const startedAt = Date.now();
    const services: { id: number }[] = await this.#knex('services')
      .select('id')
      .orderBy('id');
    onProgress?.(0, services.length);
    for (let done = 0; done < services.length;) {
      const ids = services
        .slice(done, done + SERVICES_PER_MARKING)
        .map(({ id }) => id);
      await this.#knex('dirty_marks').insert(
        ids.map(id => ({ service_id: id, since: 0 })),
      );
      const before = done;
      await this.#drainAll(ids, derived =>
        onProgress?.(
          Math.min(before + derived, services.length),
          services.length,
        ),
      );
      done += ids.length;
      onProgress?.(done, services.length);
    }
    // Drains the remaining services, which depend on one another.
    await this.#drainAll();
    await deriveTransaction(this.#knex, async trx => {
      await sumHistogramsAnew(trx, this.#settings.days);
      await sumCountsAnew(trx);
      await writeFingerprint(trx, this.#fingerprint);
    });
    this.#logger?.info(
      `Derived ${services.length} services anew in ${
        Date.now() - startedAt
      } ms`,
    );
  }

  async #drainAll(
    serviceIds?: number[],
    onDerived?: (services: number) => void,
  ): Promise<void> {
    const lastMark = await findLastMark(this.#knex);
    let derived = 0;
    let after = 0;
    for (;;) {
      const found = await findMarkedServices(this.#knex, {
        after,
        lastMark,
        limit: SERVICES_PER_LOOK,
        serviceIds,
      });
      if (found.length === 0) {
        if (after === 0) {
          return;
        }
        // Starts over because deriving one service can mark another.
        after = 0;
      } else {
        for (const batch of await sizeBatches(this.#knex, found)) {
          await deriveTransaction(this.#knex, async trx =>
            deriveServices(trx, await takeMarks(trx, batch), this.#settings),
          );
          derived += batch.length;
          onDerived?.(derived);
          // SQLite runs queries synchronously: without this, other work would wait until the end.
          await yieldToOthers();
        }
        after = found[found.length - 1];
      }
    }
  }
}
