import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Measure, Subject, TallyName } from '../ledger/Contribution.ts';
import { TurnBatch } from '../ledger/TurnBatch.ts';
import { ALL_TEAMS } from '../people/team.ts';
import type { TeamDays } from '../privacy/Releases.ts';
import type { Crowd, MetricsStore, Totals } from './MetricsStore.ts';
import { readCrowd, readCrowds, readPeople } from './readCrowds.ts';
import { readTotals, type TotalsQuestion } from './readTotals.ts';

/** Up to so many questions are asked one by one, which is faster until there are many. */
const SINGLES = 40;

/** Who was present; on no days at all nobody was. */
interface CrowdQuestion {
  readonly subject: Subject;
  readonly days: readonly TeamDays[];
}

/** Reads the rollups; questions of the same turn of the event loop go together. */
export class DatabaseMetricsStore implements MetricsStore {
  readonly #knex: Knex;
  readonly #totals: TurnBatch<TotalsQuestion, Totals>;
  readonly #teams: TurnBatch<void, string[]>;

  constructor(database: Database) {
    this.#knex = database.knex;
    this.#totals = new TurnBatch(questions =>
      readTotals(database.knex, questions),
    );
    this.#teams = new TurnBatch(async questions => {
      const tallies = await this.tallies('records');
      const teams = tallies.map(({ team }) => team);
      return questions.map(() => teams);
    });
  }

  totals(
    measures: readonly Measure[],
    questions: readonly (readonly TeamDays[])[],
  ): Promise<Totals[]> {
    return Promise.all(
      questions.map(days => this.#totals.ask({ measures, days })),
    );
  }

  async crowds(
    subject: Subject,
    questions: readonly (readonly TeamDays[])[],
  ): Promise<Crowd[]> {
    const asked: CrowdQuestion[] = questions.map(days => ({ subject, days }));
    const areFew = questions.length <= SINGLES;
    const isSingle = ({ days }: CrowdQuestion) =>
      days.length === 1 && (areFew || days[0].team === ALL_TEAMS);
    const others = asked.filter(question => !isSingle(question));
    const [singles, found] = await Promise.all([
      Promise.all(
        asked
          .filter(isSingle)
          .map(({ days }) => readCrowd(this.#knex, { subject, days: days[0] })),
      ),
      readCrowds(this.#knex, others),
    ]);
    return asked.map(
      question => (isSingle(question) ? singles : found).shift()!,
    );
  }

  async people(
    subject: Subject,
    questions: readonly TeamDays[],
  ): Promise<number[]> {
    if (questions.length > SINGLES) {
      const crowds = await this.crowds(
        subject,
        questions.map(days => [days]),
      );
      return crowds.map(({ people }) => people);
    }
    return Promise.all(
      questions.map(days => readPeople(this.#knex, { subject, days })),
    );
  }

  teams(): Promise<string[]> {
    return this.#teams.ask();
  }

  async tallies(name: TallyName): Promise<{ team: string; total: number }[]> {
    const rows: { team: string; total: number | string }[] = await this.#knex(
      'tallies',
    )
      .select('team', 'total')
      .where({ name })
      .orderBy('team');
    return rows.map(({ team, total }) => ({ team, total: Number(total) }));
  }
}
