import { migrate, type Database } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import { DatabaseCognitiveLoadStore } from '../cognitive-load/DatabaseCognitiveLoadStore.ts';
import { DatabaseLedger } from '../ledger/DatabaseLedger.ts';
import { DatabaseMetricsStore } from '../metrics/DatabaseMetricsStore.ts';
import { ReleasedReader } from '../metrics/ReleasedReader.ts';
import { DatabasePersonStore } from '../people/DatabasePersonStore.ts';
import type { Period } from '../periods/Period.ts';
import { DatabaseReleases } from '../privacy/DatabaseReleases.ts';

/** That somebody answered something. */
export interface Row {
  person: number;
  team: string;
  day: number;
}

/** More would not fit a number, as the bits of a sum. */
export const MOST_ROWS = 24;

/**
 * Stores rows as assessments whose scores are powers of two: a sum that is shown then
 * tells of which rows it is.
 */
export class ReleaseLab {
  readonly #loads: DatabaseCognitiveLoadStore;
  readonly #people: DatabasePersonStore;
  readonly #reader: ReleasedReader;
  readonly dispose: () => Promise<void>;
  #rounds = 0;

  private constructor(options: {
    database: Database;
    minimum: number;
    dispose: () => Promise<void>;
  }) {
    const { database, minimum } = options;
    const ledger = new DatabaseLedger({ marksReleases: true });
    this.dispose = options.dispose;
    this.#loads = new DatabaseCognitiveLoadStore({ database, ledger });
    this.#people = new DatabasePersonStore({ database, ledger });
    this.#reader = new ReleasedReader({
      store: new DatabaseMetricsStore(database),
      releases: new DatabaseReleases({ database, minimumGroupSize: minimum }),
    });
  }

  static async open(
    client: Database['client'],
    options: { minimum: number },
  ): Promise<ReleaseLab> {
    const { database, dispose } = await openTestDatabase(client);
    await migrate(database, {
      directory: new URL('../../migrations/', import.meta.url),
    });
    return new ReleaseLab({ ...options, database, dispose });
  }

  /** @param all - in which the place of a row is its bit. */
  async add(rows: readonly Row[], all: readonly Row[]): Promise<void> {
    this.#rounds += 1;
    await Promise.all(
      rows.map(row => {
        const bit = all.indexOf(row);
        const score = 2 ** bit / 1_000;
        return this.#loads.add({
          id: `tlx_${this.#rounds}_${bit}`,
          personHash: String(row.person),
          team: row.team,
          day: row.day,
          occurredAt: row.day,
          task: 'test',
          scores: {
            mental_demand: score,
            physical_demand: score,
            temporal_demand: score,
            performance: score,
            effort: score,
            frustration: score,
          },
        });
      }),
    );
  }

  async erase(person: number): Promise<void> {
    await this.#people.erase(String(person));
  }

  /** Of every answer to these questions, the places of the rows that it sums up. */
  async shownSums(options: {
    teams: readonly string[];
    periods: readonly Period[];
  }): Promise<Set<number>[]> {
    const sums: Set<number>[] = [];
    for (const team of options.teams) {
      const released = await this.#reader.read('load', {
        team,
        periods: options.periods,
        measures: ['load.count', 'load.index_thousandths'],
      });
      sums.push(
        ...released.map(({ shown }) =>
          bitsOf(shown?.['load.index_thousandths'] ?? 0),
        ),
      );
    }
    return sums;
  }
}

function bitsOf(sum: number): Set<number> {
  return new Set(
    Array.from({ length: MOST_ROWS }, (_, bit) => bit).filter(
      bit => Math.floor(sum / 2 ** bit) % 2 === 1,
    ),
  );
}
