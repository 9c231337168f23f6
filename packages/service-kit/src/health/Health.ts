import type { Database } from '../database/openDatabase.ts';

/** What a service's own `/health` body is made of. */
export interface HealthState {
  database: 'connected' | 'disconnected';
  version: string;
  now: Date;
}

/** The body of `/health`; a service may say more. */
interface HealthBody {
  status: string;
  version?: string;
  database: HealthState['database'];
  /** ISO 8601. */
  timestamp?: string;
}

/** Makes the body of `/health`. */
export type HealthFormat = (state: HealthState) => HealthBody;

const READINESS = 'kit_readiness';

/** How long a write that went well is believed: whoever polls causes no more of them. */
const WRITTEN_MS = 10_000;

/** Asks what the service stands on, when asked itself: recovery shows at once. */
export class Health {
  readonly #database: Database;
  readonly #checks = new Map<string, () => Promise<boolean>>();
  #asking: Promise<boolean> | undefined;
  #writing: Promise<boolean> | undefined;
  /** The last write that went well, in milliseconds of a monotonic clock. */
  #writtenAt = -Infinity;

  constructor(database: Database) {
    this.#database = database;
    this.#checks.set(
      'database',
      async () =>
        (await this.databaseAnswers()) && (await this.#databaseWrites()),
    );
  }

  /** Adds something that `/ready` asks as well. */
  addCheck(name: string, answers: () => Promise<boolean>): void {
    this.#checks.set(name, answers);
  }

  /** Questions that come at the same time are one to the database. */
  databaseAnswers(): Promise<boolean> {
    this.#asking ??= this.#database.isAlive().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** A disk that is full still answers what is read. */
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

  /** Asks each dependency whether it answers; by its name. */
  async check(): Promise<Record<string, boolean>> {
    const entries = [...this.#checks].map(
      async ([name, answers]) =>
        [name, await answers().catch(() => false)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }
}
