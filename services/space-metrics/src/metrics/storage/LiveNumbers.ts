import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { NO_TEAM } from '../../people/team.ts';
import type { LocalDay } from '../../periods/LocalDay.ts';
import { elapsedPart, type Period, weeksOf } from '../../periods/Period.ts';
import type { Measure, Subject } from '../../records/Contribution.ts';
import { countDays, spansOf } from '../../records/storage/presence.ts';
import { readTallies } from '../../records/storage/rollups.ts';
import { jsonList, jsonMember, selectRows } from '../../storage/sql.ts';
import { TurnBatch } from '../../storage/TurnBatch.ts';
import type { FirstCommitTimes } from '../FirstCommitTimes.ts';
import type {
  Joining,
  Numbers,
  NumbersQuery,
  Sums,
  Totals,
} from '../Numbers.ts';

/** A query for totals of some days of a team; both days are inclusive. */
interface TotalsQuestion {
  readonly measures: readonly Measure[];
  readonly team: string;
  readonly from: number;
  readonly to: number;
}

const ASKED = [
  jsonMember(0, { name: 'key', type: 'INTEGER' }),
  jsonMember(1, { name: 'measure', type: 'TEXT' }),
  jsonMember(2, { name: 'team', type: 'TEXT' }),
  jsonMember(3, { name: 'first', type: 'INTEGER' }),
  jsonMember(4, { name: 'last', type: 'INTEGER' }),
];

/**
 * Reads the totals for all questions with one statement that looks up each sum by primary key: with
 * a join and GROUP BY, PostgreSQL would scan the whole table.
 */
async function readTotals(
  knex: Knex,
  questions: readonly TotalsQuestion[],
): Promise<Totals[]> {
  const asked = questions.flatMap(({ measures, team, from, to }, key) =>
    measures.map(measure => [key, measure, team, from, to]),
  );
  const rows = await selectRows<{
    key: number;
    measure: Measure;
    total: number | string | null;
  }>(
    knex,
    `WITH asked AS MATERIALIZED (
       SELECT ${ASKED.join(', ')} FROM ${jsonList(knex)})
     SELECT key, measure, (SELECT SUM(d.total) FROM daily_totals d
       WHERE d.team = asked.team AND d.measure = asked.measure
         AND d.day BETWEEN asked.first AND asked.last) AS total
     FROM asked`,
    [JSON.stringify(asked)],
  );
  const totals: Totals[] = questions.map(() => ({}));
  for (const { key, measure, total } of rows) {
    if (total !== null) {
      totals[key][measure] = Number(total);
    }
  }
  return totals;
}

/** The days of one team, or of all teams; both are inclusive. */
interface CrowdQuestion {
  readonly subject: Subject;
  readonly team: string;
  readonly from: number;
  readonly to: number;
}

/** The numbers of distinct people with records and of their active days. */
interface Crowd {
  /** Number of distinct people. */
  readonly people: number;
  /** The sum of the days on which each of them was present. */
  readonly personDays: number;
}

/** Selects the rows of one team and subject, limited to the days that the question covers. */
const PRESENT = `SELECT person, days FROM (
    SELECT person, CAST(days AS BIGINT)
      & CASE span WHEN ? THEN ? WHEN ? THEN ? ELSE -1 END AS days
    FROM presence_spans
    WHERE subject = ? AND team = ? AND span BETWEEN ? AND ?) AS asked
  WHERE days <> 0`;

const COUNT_PEOPLE = `SELECT COUNT(DISTINCT person) AS people FROM (${PRESENT}) AS present`;

/**
 * Counts bits by adding up groups of two, four and eight, because the databases have no common
 * function for that.
 */
const COUNT_DAYS = `SELECT COUNT(DISTINCT person) AS people,
    SUM((((fours + (fours >> 4)) & 252645135) * 16843009 >> 24) & 255) AS person_days
  FROM (SELECT person, (twos & 858993459) + ((twos >> 2) & 858993459) AS fours
    FROM (SELECT person, days - ((days >> 1) & 1431655765) AS twos
      FROM (${PRESENT}) AS present) AS pairs) AS nibbles`;

/** Counts the people with records, and their active days. */
async function readCrowd(knex: Knex, question: CrowdQuestion): Promise<Crowd> {
  const [row] = await selectRows<{
    people: number | string;
    person_days: number | string | null;
  }>(knex, COUNT_DAYS, bindingsOf(question));
  return { people: Number(row.people), personDays: Number(row.person_days) };
}

/**
 * Counts the people with records, without their days, which takes a third of the work of
 * {@link readCrowd}.
 */
async function readPeople(knex: Knex, question: CrowdQuestion): Promise<Crowd> {
  const [row] = await selectRows<{ people: number | string }>(
    knex,
    COUNT_PEOPLE,
    bindingsOf(question),
  );
  return { people: Number(row.people), personDays: 0 };
}

function bindingsOf({
  subject,
  team,
  from,
  to,
}: CrowdQuestion): (string | number)[] {
  const spans = spansOf({ from, to });
  const first = spans[0];
  const last = spans.at(-1)!;
  const masks = [first.span, first.days, last.span, last.days];
  return [...masks, subject, team, first.span, last.span];
}

/** Counts the people with records, for many questions in one statement. */
async function readCrowds(
  knex: Knex,
  questions: readonly CrowdQuestion[],
): Promise<Crowd[]> {
  const asked = questions.flatMap(({ subject, team, ...days }, key) =>
    spansOf(days).map(span => [key, subject, team, span.span, span.days]),
  );
  const columns = [
    jsonMember(0, { name: 'key', type: 'INTEGER' }),
    jsonMember(1, { name: 'subject', type: 'TEXT' }),
    jsonMember(2, { name: 'team', type: 'TEXT' }),
    jsonMember(3, { name: 'span', type: 'INTEGER' }),
    jsonMember(4, { name: 'days', type: 'INTEGER' }),
  ];
  const rows = await selectRows<{ key: number; person: number; days: number }>(
    knex,
    // CROSS JOIN makes SQLite look each span up by primary key.
    `WITH asked AS (SELECT ${columns.join(', ')} FROM ${jsonList(knex)})
     SELECT asked.key AS key, p.person AS person, p.days & asked.days AS days
     FROM asked CROSS JOIN presence_spans p
     WHERE p.subject = asked.subject AND p.team = asked.team
       AND p.span = asked.span AND p.days & asked.days <> 0`,
    [JSON.stringify(asked)],
  );
  const people = questions.map(() => new Set<number>());
  const personDays = questions.map(() => 0);
  for (const { key, person, days } of rows) {
    people[key].add(person);
    personDays[key] += countDays(days);
  }
  return questions.map((_, key) => ({
    people: people[key].size,
    personDays: personDays[key],
  }));
}

/** Up to this many crowds are counted one by one, which is faster for small numbers. */
const SINGLES = 40;

/**
 * Reads the rollups, which include every record immediately; used for a minimum group size of 1.
 * Batches questions from the same turn of the event loop.
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

  /** Sums up whole periods, including measures that do not concern people. */
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
