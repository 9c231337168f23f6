import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { NO_TEAM } from '../../people/team.ts';
import type { LocalDay } from '../../periods/LocalDay.ts';
import { type Period, elapsedPart, weeksOf } from '../../periods/Period.ts';
import type { Subject } from '../../records/Contribution.ts';
import { readTallies } from '../../records/storage/rollups.ts';
import { TurnBatch } from '../../storage/TurnBatch.ts';
import type { FirstCommitTimes } from '../FirstCommitTimes.ts';
import type {
  Joining,
  Numbers,
  NumbersQuery,
  Sums,
  Totals,
} from '../Numbers.ts';
import { type Crowd, readCrowd, readCrowds, readPeople } from './readCrowds.ts';
import { type TotalsQuestion, readTotals } from './readTotals.ts';

/** Up to so many crowds are counted one by one, which is faster until there are many. */
const SINGLES = 40;

/**
 * Reads the rollups, in which every record counts at once: for a minimum group size of 1.
 * Questions of the same turn of the event loop go together.
 */
export class LiveNumbers implements Numbers {
  readonly minimumGroupSize = 1;
  readonly #knex: Knex;
  readonly #totals: TurnBatch<TotalsQuestion, Totals>;
  readonly #today: () => LocalDay;
  readonly #firstCommits: FirstCommitTimes;

  constructor(options: {
    database: Database;
    today: () => LocalDay;
    firstCommits: FirstCommitTimes;
  }) {
    this.#knex = options.database.knex;
    this.#today = options.today;
    this.#firstCommits = options.firstCommits;
    this.#totals = new TurnBatch(questions =>
      readTotals(options.database.knex, questions),
    );
  }

  async read(subject: Subject, query: NumbersQuery): Promise<Sums[]> {
    const { periods, crowd } = query;
    const [totals, crowds] = await Promise.all([
      this.totals(query),
      crowd ? this.#crowds(subject, { ...query, crowd }) : [],
    ]);
    return periods.map((_, index) => ({
      totals: totals[index],
      people: crowds[index]?.people ?? 0,
      personDays: crowds[index]?.personDays ?? 0,
    }));
  }

  /** Sums over whole periods, of whatever is not about people as well. */
  totals({
    team,
    periods,
    measures,
  }: Pick<NumbersQuery, 'team' | 'periods' | 'measures'>): Promise<Totals[]> {
    return Promise.all(
      periods.map(({ start, end }) =>
        this.#totals.ask({ measures, team, from: start, to: end - 1 }),
      ),
    );
  }

  joining(team: string, periods: readonly Period[]): Promise<Joining[]> {
    return this.#firstCommits.read(team, periods);
  }

  weeks(period: Period): number {
    return weeksOf(elapsedPart(period, this.#today()));
  }

  async teams(): Promise<string[]> {
    const tallies = await readTallies(this.#knex, 'records');
    return tallies.map(({ team }) => team).filter(team => team !== NO_TEAM);
  }

  async counted(
    name: 'commits' | 'messages',
  ): Promise<{ team: string; total: number }[]> {
    const tallies = await readTallies(this.#knex, name);
    return tallies.filter(({ total }) => total > 0);
  }

  async #crowds(
    subject: Subject,
    { team, periods, crowd }: NumbersQuery,
  ): Promise<Crowd[]> {
    const questions = periods.map(({ start, end }) => ({
      subject,
      team,
      from: start,
      to: end - 1,
    }));
    if (questions.length > SINGLES) {
      return readCrowds(this.#knex, questions);
    }
    const read = crowd === 'days' ? readCrowd : readPeople;
    return Promise.all(questions.map(question => read(this.#knex, question)));
  }
}
