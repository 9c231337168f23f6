import {
  createServiceFactory,
  createServiceRef,
} from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';

/** A table with one row, written to check that the database is writable. */
const TABLE = 'readiness';

/**
 * Time for which a successful write is trusted, so that polling does not cause further
 * writes.
 */
const WRITTEN_MS = 10_000;

/** Time limit for a busy database. */
const TIMEOUT_MS = 5_000;

/** Checks for `/ready` that databases are writable: a full one can still be read. */
export class Readiness {
  readonly #writes = new Map<string, () => Promise<boolean>>();
  readonly #now: () => number;

  /** @param now - a monotonic clock, in milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Watches the database of a plugin. All replicas update the same row in it.
   *
   * @param name - the plugin's name, which `/ready` shows if the database fails.
   */
  watch(name: string, knex: Knex): void {
    let hasTable = false;
    this.add(name, async () => {
      if (!hasTable && !(await knex.schema.hasTable(TABLE))) {
        await knex.schema.createTable(TABLE, table => {
          table.integer('id').primary();
          table.string('written_at', 24).notNullable();
        });
      }
      hasTable = true;
      await knex(TABLE)
        .insert({ id: 1, written_at: new Date().toISOString() })
        .onConflict('id')
        .merge();
    });
  }

  /**
   * Adds a check.
   *
   * @param name - the plugin's name.
   * @param write - must be idempotent.
   */
  add(name: string, write: () => Promise<unknown>): void {
    let writtenAt = -Infinity;
    let writing: Promise<boolean> | undefined;
    this.#writes.set(name, async () => {
      if (this.#now() - writtenAt < WRITTEN_MS) {
        return true;
      }
      writing ??= write()
        .then(
          () => {
            writtenAt = this.#now();
            return true;
          },
          () => false,
        )
        .finally(() => {
          writing = undefined;
        });
      return Promise.race([writing, falseAfter(TIMEOUT_MS)]);
    });
  }

  /** Returns the plugins whose databases are not writable. */
  async failing(): Promise<string[]> {
    const answers = await Promise.all(
      [...this.#writes].map(async ([name, writes]) => ({
        name,
        ok: await writes(),
      })),
    );
    return answers.filter(({ ok }) => !ok).map(({ name }) => name);
  }
}

function falseAfter(milliseconds: number): Promise<boolean> {
  return new Promise(resolve => {
    setTimeout(resolve, milliseconds, false).unref();
  });
}

/** Shared by all plugins of the process. */
export const readinessRef = createServiceRef<Readiness>({
  id: 'slipway.readiness',
  scope: 'root',
  defaultFactory: async service =>
    createServiceFactory({
      service,
      deps: {},
      factory: () => new Readiness(),
    }),
});
