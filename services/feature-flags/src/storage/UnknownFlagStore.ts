import { chunksOf, type Database } from '@slipway/service-kit';

/** An application that requested a flag that does not exist. */
export interface UnknownFlagReport {
  readonly name: string;
  readonly appName: string;
  readonly environment: string;
  /** Milliseconds since the Unix epoch. */
  readonly seenAt: number;
}

interface Row {
  name: string;
  app_name: string;
  environment: string;
  seen_at: number | string;
}

const CHUNK = 200;

/** Stores which unknown flags applications request, in the service's database. */
export class UnknownFlagStore {
  readonly #database: Database;
  readonly #most: number;

  /** @param options.most - maximum number of records; the least recently seen are deleted first. */
  constructor(database: Database, options: { most: number }) {
    this.#database = database;
    this.#most = options.most;
  }

  /** Adds reports; a later report of an application replaces its earlier one. */
  async add(reports: readonly UnknownFlagReport[]): Promise<void> {
    // Sorted the same way in every replica to avoid deadlocks.
    const sorted = [...reports].sort((one, other) =>
      keyOf(one) < keyOf(other) ? -1 : 1,
    );
    await this.#database.transaction(async trx => {
      for (const chunk of chunksOf(sorted, CHUNK)) {
        await trx('unknown_flags')
          .insert(chunk.map(toRow))
          .onConflict(['name', 'app_name', 'environment'])
          .merge();
      }
      const [oldest] = await trx<Row>('unknown_flags')
        .orderBy('seen_at', 'desc')
        .offset(this.#most)
        .limit(1)
        .select('seen_at');
      if (oldest) {
        await trx('unknown_flags')
          .where('seen_at', '<=', oldest.seen_at)
          .delete();
      }
    });
  }

  /** Lists reports of flags that still do not exist, by name, application and environment. */
  async list(): Promise<UnknownFlagReport[]> {
    const { knex } = this.#database;
    const rows = await knex<Row>('unknown_flags')
      .leftJoin('flags', 'flags.name', 'unknown_flags.name')
      .whereNull('flags.name')
      .orderBy([
        'unknown_flags.name',
        'unknown_flags.app_name',
        'unknown_flags.environment',
      ])
      .select<Row[]>('unknown_flags.*');
    return rows.map(row => ({
      name: row.name,
      appName: row.app_name,
      environment: row.environment,
      seenAt: Number(row.seen_at),
    }));
  }

  /** Deletes reports last seen before a time. @returns the number of deleted records. */
  async purge(seenBefore: number): Promise<number> {
    return this.#database.transaction(trx =>
      trx('unknown_flags').where('seen_at', '<', seenBefore).delete(),
    );
  }
}

function keyOf({ name, appName, environment }: UnknownFlagReport): string {
  return JSON.stringify([name, appName, environment]);
}

function toRow({ name, appName, environment, seenAt }: UnknownFlagReport): Row {
  return { name, app_name: appName, environment, seen_at: seenAt };
}
