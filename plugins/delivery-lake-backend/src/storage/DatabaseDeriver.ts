import { LoggerService } from '@backstage/backend-plugin-api';
import { exclusiveTransaction, isPostgres } from '@slipway/portal-kit';
import type { Knex } from 'knex';
import { DoraConfig } from '../config';
import { LocalDays } from '../days/localDays';
import { Deriver, DrainQueue } from '../derivation/Deriver';
import { momentTable, queryRows } from './BatchSql';
import { DerivationSettings, deriveServices } from './deriveServices';
import { findLastMark, findMarkedServices, hasMarks, takeMarks } from './marks';
import { sumCountsAnew, sumHistogramsAnew } from './rollups';

// Grows when the same input would be derived to something else.
const DERIVATION_VERSION = 1;
const FINGERPRINT_KEY = 'derivation_fingerprint';

/** What the derived tables depend on besides what was taken in. */
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

/** The fingerprint of the last rebuild that came to its end. */
async function readFingerprint(knex: Knex): Promise<string | undefined> {
  const row = await knex('lake_settings')
    .where('key', FINGERPRINT_KEY)
    .first('value');
  return row?.value;
}

/** Remembers what a rebuild went by, inside the transaction that ends it. */
async function writeFingerprint(
  trx: Knex.Transaction,
  fingerprint: string,
): Promise<void> {
  await trx('lake_settings')
    .insert({ key: FINGERPRINT_KEY, value: fingerprint })
    .onConflict('key')
    .merge();
}

// Any number that nobody else takes in this database.
const LOCK_ID = 7_305_811_942;

/** Runs one step of deriving: one at a time over all replicas, all or nothing. */
async function deriveTransaction<T>(
  knex: Knex,
  step: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return exclusiveTransaction(knex, LOCK_ID, async trx => {
    if (isPostgres(knex)) {
      // The planner cannot know how short the joined lists are, and would rather
      // read ten million deployments than look a hundred up.
      await trx.raw(
        'SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off',
      );
    }
    return step(trx);
  });
}

// Deployments that one transaction may have to load: some hundred megabytes.
const DEPLOYMENTS_PER_BATCH = 60_000;
const SERVICES_PER_BATCH = 200;

/**
 * Divides marked services into batches of which each fits into memory and holds the
 * lock for no more than some seconds.
 */
async function sizeBatches(
  knex: Knex,
  serviceIds: readonly number[],
): Promise<number[][]> {
  const earliest = await knex('dirty_marks')
    .whereIn('service_id', [...serviceIds])
    .groupBy('service_id')
    .select<{ service_id: number; moment: string | number | null }[]>(
      'service_id',
      // What a change concerns is not known yet: little, most often.
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
    deployments: string | number;
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

/** How {@link DatabaseDeriver} is made. */
interface DatabaseDeriverOptions {
  knex: Knex;
  dora: Pick<DoraConfig, 'incidentWindow'>;
  /** IANA name of the zone that days are of. */
  timeZone: string;
  logger?: LoggerService;
}

// Marked services that are looked for at a time.
const SERVICES_PER_LOOK = 200;
// Services that a rebuild marks at a time.
const SERVICES_PER_MARKING = 500;

/**
 * Derives in the database that was taken in to. A step takes the marks of some
 * services off and writes what follows, in one transaction: a process that dies in
 * it leaves the marks to the next one.
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

  /** Tells cheaply whether anything waits to be derived, of these services or of all. */
  async hasDirty(serviceIds?: number[]): Promise<boolean> {
    return hasMarks(this.#knex, serviceIds);
  }

  /**
   * Whether what is derived was derived by the present time zone, incident window and
   * definitions. Where it was not, {@link rebuild} is due.
   */
  async isCurrent(): Promise<boolean> {
    return (await readFingerprint(this.#knex)) === this.#fingerprint;
  }

  /** Can be run again where it was interrupted; what is taken in meanwhile is derived too. */
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
    // Services that were found to depend on one another.
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
        // Once more from the beginning: deriving one service can mark another.
        after = 0;
      } else {
        for (const batch of await sizeBatches(this.#knex, found)) {
          await deriveTransaction(this.#knex, async trx =>
            deriveServices(trx, await takeMarks(trx, batch), this.#settings),
          );
          derived += batch.length;
          onDerived?.(derived);
        }
        after = found[found.length - 1];
      }
    }
  }
}
