import type { Knex } from 'knex';
import { ALL_TEAMS } from '../people/team.ts';
import type { Contribution } from './Contribution.ts';
import { inKeyOrder } from './inKeyOrder.ts';
import { insertRows } from './insertRows.ts';
import { addPresence, type PresenceRow } from './presence.ts';

interface TotalRow {
  team: string;
  measure: string;
  day: number;
  total: number;
}

/**
 * Keeps the rollups from which all reads are answered: daily totals by team, who was
 * present, and tallies. Whoever writes a record hands its contribution to the same
 * transaction, so late data corrects its own day and nothing has to be rebuilt.
 */
export class DatabaseLedger {
  readonly #marksReleases: boolean;

  /** @param options.marksReleases - whether small groups are hidden, so that blocks must follow. */
  constructor(options: { marksReleases: boolean }) {
    this.#marksReleases = options.marksReleases;
  }

  /** Adds what records contribute. */
  async record(
    trx: Knex.Transaction,
    contributions: readonly Contribution[],
  ): Promise<void> {
    await addTotals(trx, sumTotals(contributions, 1));
    await addTallies(trx, contributions);
    const fresh = await addPresence(trx, contributions);
    if (this.#marksReleases) {
      await markReleases(trx, fresh);
    }
  }

  /** Takes back the totals of records that are erased; tallies stay, they only rise. */
  async withdraw(
    trx: Knex.Transaction,
    contributions: readonly Contribution[],
  ): Promise<void> {
    await addTotals(trx, sumTotals(contributions, -1));
  }

  /** Removes a person from every day on which they were present. */
  async removePerson(trx: Knex.Transaction, person: number): Promise<void> {
    const gone = await trx('presence')
      .select('subject', 'team', 'day')
      .where({ person });
    await trx('presence').where({ person }).delete();
    await trx('presence_spans').where({ person }).delete();
    if (this.#marksReleases) {
      await markReleases(trx, gone);
    }
  }
}

/**
 * Says that the blocks of these teams must be worked out anew from these days on.
 */
async function markReleases(
  trx: Knex.Transaction,
  changes: readonly Pick<PresenceRow, 'subject' | 'team' | 'day'>[],
): Promise<void> {
  const marks = new Map<
    string,
    { subject: string; team: string; dirty_from: number }
  >();
  for (const { subject, team, day } of changes) {
    const key = JSON.stringify([subject, team]);
    const known = marks.get(key);
    if (!known || known.dirty_from > day) {
      marks.set(key, { subject, team, dirty_from: day });
    }
  }
  await insertRows(trx, {
    table: 'release_states',
    columns: { subject: 'TEXT', team: 'TEXT', dirty_from: 'INTEGER' },
    rows: inKeyOrder(marks).map(mark => [
      mark.subject,
      mark.team,
      mark.dirty_from,
    ]),
    then: `ON CONFLICT (subject, team) DO UPDATE SET dirty_from = excluded.dirty_from
      WHERE release_states.dirty_from IS NULL OR release_states.dirty_from > excluded.dirty_from`,
  });
}

function sumTotals(
  contributions: readonly Contribution[],
  sign: 1 | -1,
): TotalRow[] {
  const sums = new Map<string, TotalRow>();
  for (const { team, day, totals } of contributions) {
    for (const [measure, amount] of Object.entries(totals)) {
      for (const scope of [team, ALL_TEAMS]) {
        const key = JSON.stringify([scope, measure, day]);
        const sum = sums.get(key) ?? { team: scope, measure, day, total: 0 };
        sum.total += sign * amount;
        sums.set(key, sum);
      }
    }
  }
  return inKeyOrder(sums).filter(({ total }) => total !== 0);
}

async function addTotals(
  trx: Knex.Transaction,
  totals: readonly TotalRow[],
): Promise<void> {
  await insertRows(trx, {
    table: 'daily_totals',
    columns: { team: 'TEXT', measure: 'TEXT', day: 'INTEGER', total: 'BIGINT' },
    rows: totals.map(({ team, measure, day, total }) => [
      team,
      measure,
      day,
      total,
    ]),
    then: `ON CONFLICT (team, measure, day)
      DO UPDATE SET total = daily_totals.total + excluded.total`,
  });
}

async function addTallies(
  trx: Knex.Transaction,
  contributions: readonly Contribution[],
): Promise<void> {
  const sums = new Map<string, { name: string; team: string; total: number }>();
  for (const { team, tallies } of contributions) {
    for (const [name, amount] of Object.entries({ records: 1, ...tallies })) {
      const key = JSON.stringify([name, team]);
      const sum = sums.get(key) ?? { name, team, total: 0 };
      sum.total += amount;
      sums.set(key, sum);
    }
  }
  await insertRows(trx, {
    table: 'tallies',
    columns: { name: 'TEXT', team: 'TEXT', total: 'BIGINT' },
    rows: inKeyOrder(sums).map(({ name, team, total }) => [name, team, total]),
    then: `ON CONFLICT (name, team)
      DO UPDATE SET total = tallies.total + excluded.total`,
  });
}
