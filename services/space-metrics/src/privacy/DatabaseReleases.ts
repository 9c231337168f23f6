import type { Database } from '@slipway/service-kit';
import type { Subject } from '../ledger/Contribution.ts';
import { readRevision } from '../ledger/revisions.ts';
import { TurnBatch } from '../ledger/TurnBatch.ts';
import type { Period } from '../periods/Period.ts';
import { refreshReleases } from './DatabaseReleaseBlocks.ts';
import { readReleasedDays, type Question } from './readReleasedDays.ts';
import type { Releases, TeamDays } from './Releases.ts';

/** Answers that are kept at most. */
const REMEMBERED = 10_000;

/**
 * {@link Releases} for a minimum above 1, from blocks that follow the data. Which days
 * may be shown is remembered until blocks change, by whichever replica.
 */
export class DatabaseReleases implements Releases {
  readonly #database: Database;
  readonly #questions: TurnBatch<Question, TeamDays[]>;
  readonly minimumGroupSize: number;
  #known = new Map<string, TeamDays[]>();
  #revision: number | undefined;

  constructor(options: { database: Database; minimumGroupSize: number }) {
    this.#database = options.database;
    this.minimumGroupSize = options.minimumGroupSize;
    this.#questions = new TurnBatch(questions => this.#answer(questions));
  }

  within(
    subject: Subject,
    options: { team: string; periods: readonly Period[] },
  ): Promise<TeamDays[][]> {
    const { team, periods } = options;
    return Promise.all(
      periods.map(period => this.#questions.ask({ subject, team, period })),
    );
  }

  async #answer(questions: readonly Question[]): Promise<TeamDays[][]> {
    await this.#refresh();
    const unknown = questions.filter(
      question => !this.#known.has(nameOf(question)),
    );
    const known = this.#known;
    if (unknown.length > 0) {
      const found = await readReleasedDays(this.#database.knex, unknown);
      unknown.forEach((question, index) => {
        known.set(nameOf(question), found[index]);
      });
    }
    const answers = questions.map(question => known.get(nameOf(question))!);
    if (known.size > REMEMBERED) {
      known.clear();
    }
    return answers;
  }

  /** Has blocks follow what was written, and forgets what was known of other blocks. */
  async #refresh(): Promise<void> {
    const { knex, client } = this.#database;
    const [[dirty], revision] = await Promise.all([
      knex('release_states').whereNotNull('dirty_from').limit(1).select('team'),
      readRevision(knex, 'release_blocks'),
    ]);
    if (dirty) {
      const { minimumGroupSize: minimum } = this;
      await this.#database.transaction(trx =>
        refreshReleases(trx, { minimum, client }),
      );
    }
    if (dirty || this.#revision !== revision) {
      this.#known = new Map();
      // What is read from here on may be of a later one, which the next look finds.
      this.#revision = dirty ? undefined : revision;
    }
  }
}

function nameOf({ subject, team, period }: Question): string {
  return JSON.stringify([subject, team, period.start, period.end]);
}
