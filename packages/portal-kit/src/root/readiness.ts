import {
  createServiceFactory,
  createServiceRef,
} from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';

/** A table of one row, which is written to see whether the database can be. */
const TABLE = 'readiness';

/** How long a write that went well is believed: whoever polls causes no more of them. */
const WRITTEN_MS = 10_000;

/** How long a database that is busy may take. */
const TIMEOUT_MS = 5_000;

/** Databases that `/ready` tries to write: one that is full still answers what is read. */
export class Readiness {
  readonly #writes = new Map<string, () => Promise<boolean>>();
  readonly #now: () => number;

  /** @param now - a clock that is never put back, in milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Adds the database of a plugin. Each replica keeps the same single row in it.
   *
   * @param name - of the plugin, which `/ready` shows where the database fails.
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
   * @param name - of its plugin.
   * @param write - leaves the same behind however often it is called.
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

  /** The plugins whose databases cannot be written. */
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

/** One for all plugins of the process. */
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
