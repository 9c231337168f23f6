import type { Database } from '../database/openDatabase.ts';

/** The input for a service's own `/health` body. */
export interface HealthState {
  database: 'connected' | 'disconnected';
  version: string;
  now: Date;
}

/** The body of `/health`; services may add members. */
interface HealthBody {
  status: string;
  version?: string;
  database: HealthState['database'];
  /** ISO 8601. */
  timestamp?: string;
}

/** Creates the body of `/health`. */
export type HealthFormat = (state: HealthState) => HealthBody;

const READINESS = 'kit_readiness';

/** Time for which a successful write counts, so that polling `/ready` does not write each time. */
const WRITTEN_MS = 10_000;

/** Checks the dependencies of the service on each request, so that a recovery shows immediately. */
export class Health {
  readonly #database: Database;
  readonly #checks = new Map<string, () => Promise<boolean>>();
  #asking: Promise<boolean> | undefined;
  #writing: Promise<boolean> | undefined;
  /** Time of the last successful write, in milliseconds of a monotonic clock. */
  #writtenAt = -Infinity;

  constructor(database: Database) {
    this.#database = database;
    this.#checks.set(
      'database',
      async () =>
        (await this.databaseAnswers()) && (await this.#databaseWrites()),
    );
  }

  /** Adds another check to `/ready`. */
  addCheck(name: string, answers: () => Promise<boolean>): void {
    this.#checks.set(name, answers);
  }

  /** Checks whether the database responds; concurrent calls share one query. */
  databaseAnswers(): Promise<boolean> {
    this.#asking ??= this.#database.isAlive().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Checks whether the database accepts writes: on a full disk, only reads still work. */
  #databaseWrites(): Promise<boolean> {
    if (performance.now() - this.#writtenAt < WRITTEN_MS) {
      return Promise.resolve(true);
    }
    this.#writing ??= this.#database
      .transaction(trx =>
        trx(READINESS)
          .insert({ id: 1, written_at: Date.now() })
          .onConflict('id')
          .merge(),
      )
      .then(
        () => {
          this.#writtenAt = performance.now();
          return true;
        },
        () => false,
      )
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }

  /** Checks every dependency; returns the results by name. */
  async check(): Promise<Record<string, boolean>> {
    const entries = [...this.#checks].map(
      async ([name, answers]) =>
        [name, await answers().catch(() => false)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }
}
