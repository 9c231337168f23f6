import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import {
  NOBODY_KNOWN,
  type Measure,
  type Subject,
  type TallyName,
} from '../ledger/Contribution.ts';
import { scopeTable, type Scope } from '../ledger/scopeTable.ts';
import { selectRows } from '../ledger/selectRows.ts';
import { ALL_TEAMS } from '../people/team.ts';
import type { TeamDays } from '../privacy/Releases.ts';
import type { Crowd, MetricsStore, Totals } from './MetricsStore.ts';

/** Scopes of one statement, of four parameters each. */
const SCOPES = 5_000;
/** Up to so many questions are asked one by one, which is faster until there are many. */
const SINGLES = 40;

const NOBODY: Crowd = { people: 0, personDays: 0 };

export class DatabaseMetricsStore implements MetricsStore {
  readonly #knex: Knex;

  constructor(database: Database) {
    this.#knex = database.knex;
  }

  async totals(
    measures: readonly Measure[],
    questions: readonly (readonly TeamDays[])[],
  ): Promise<Totals[]> {
    const totals: Totals[] = questions.map(() => ({}));
    for (const scopes of statements(questions)) {
      const { sql, bindings } = scopeTable(scopes);
      const rows = await selectRows<{
        key: number;
        measure: Measure;
        total: number | string;
      }>(
        this.#knex,
        // CROSS JOIN makes SQLite look each scope up by the primary key.
        `${sql} SELECT scope.key AS key, d.measure AS measure, SUM(d.total) AS total
         FROM scope CROSS JOIN daily_totals d
         WHERE d.team = scope.team AND d.measure IN (${marks(measures)})
           AND d.day BETWEEN scope.first AND scope.last
         GROUP BY scope.key, d.measure`,
        [...bindings, ...measures],
      );
      for (const { key, measure, total } of rows) {
        totals[key][measure] = Number(total);
      }
    }
    return totals;
  }

  async crowds(
    subject: Subject,
    questions: readonly (readonly TeamDays[])[],
  ): Promise<Crowd[]> {
    const isSimple =
      questions.length <= SINGLES && questions.every(days => days.length <= 1);
    return isSimple
      ? Promise.all(questions.map(([days]) => this.#crowd(subject, days)))
      : this.#manyCrowds(subject, questions);
  }

  /** By an index in its order, with nothing to sort. */
  async #crowd(subject: Subject, days: TeamDays | undefined): Promise<Crowd> {
    if (!days) {
      return NOBODY;
    }
    const { team, from, to } = days;
    const present = this.#knex('presence')
      .distinct('day', 'person')
      .where({ subject, ...(team !== ALL_TEAMS && { team }) })
      .whereBetween('day', [from, to])
      .whereNot('person', NOBODY_KNOWN);
    const row = await this.#knex
      .from(present.as('present'))
      .countDistinct({ people: 'person' })
      .count({ days: '*' })
      .first();
    return { people: Number(row.people), personDays: Number(row.days) };
  }

  async #manyCrowds(
    subject: Subject,
    questions: readonly (readonly TeamDays[])[],
  ): Promise<Crowd[]> {
    const crowds: Crowd[] = questions.map(() => NOBODY);
    for (const scopes of statements(questions)) {
      const all = scopes.every(({ team }) => team === ALL_TEAMS);
      const { sql, bindings } = scopeTable(scopes);
      const rows = await selectRows<{
        key: number;
        people: number | string;
        person_days: number | string;
      }>(
        this.#knex,
        `${sql}, present AS (
           SELECT DISTINCT scope.key AS key, p.day AS day, p.person AS person
           FROM scope CROSS JOIN presence p
           WHERE p.subject = ? ${all ? '' : 'AND p.team = scope.team'}
             AND p.day BETWEEN scope.first AND scope.last AND p.person <> ?)
         SELECT key, COUNT(DISTINCT person) AS people, COUNT(*) AS person_days
         FROM present GROUP BY key`,
        [...bindings, subject, NOBODY_KNOWN],
      );
      for (const row of rows) {
        crowds[row.key] = {
          people: Number(row.people),
          personDays: Number(row.person_days),
        };
      }
    }
    return crowds;
  }

  async teams(): Promise<string[]> {
    const tallies = await this.tallies('records');
    return tallies.map(({ team }) => team);
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

/** All scopes, in statements that are not too long and do not split a question. */
function* statements(
  questions: readonly (readonly TeamDays[])[],
): Generator<Scope[]> {
  let scopes: Scope[] = [];
  for (const [key, days] of questions.entries()) {
    if (scopes.length > 0 && scopes.length + days.length > SCOPES) {
      yield scopes;
      scopes = [];
    }
    scopes.push(...days.map(each => ({ ...each, key })));
  }
  if (scopes.length > 0) {
    yield scopes;
  }
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
