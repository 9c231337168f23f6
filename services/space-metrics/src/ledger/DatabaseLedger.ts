import type { Knex } from 'knex';
import { ALL_TEAMS } from '../people/team.ts';
import { chunksOf } from './chunksOf.ts';
import type { Contribution, Presence } from './Contribution.ts';

interface TotalRow {
  team: string;
  measure: string;
  day: number;
  total: number;
}

interface PresenceRow extends Presence {
  team: string;
  day: number;
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
  for (const rows of chunksOf(inKeyOrder(marks))) {
    await trx('release_states')
      .insert(rows)
      .onConflict(['subject', 'team'])
      .merge({
        dirty_from: trx.raw(
          'CASE WHEN release_states.dirty_from <= excluded.dirty_from THEN release_states.dirty_from ELSE excluded.dirty_from END',
        ),
      });
  }
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
  for (const rows of chunksOf(totals)) {
    await trx('daily_totals')
      .insert(rows)
      .onConflict(['team', 'measure', 'day'])
      .merge({ total: trx.raw('daily_totals.total + excluded.total') });
  }
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
  for (const rows of chunksOf(inKeyOrder(sums))) {
    await trx('tallies')
      .insert(rows)
      .onConflict(['name', 'team'])
      .merge({ total: trx.raw('tallies.total + excluded.total') });
  }
}

/** @returns the rows that were not there before, or count more people than before. */
async function addPresence(
  trx: Knex.Transaction,
  contributions: readonly Contribution[],
): Promise<PresenceRow[]> {
  const present = new Map<string, PresenceRow>();
  for (const { team, day, presence } of contributions) {
    if (presence) {
      const row = { ...presence, team, day };
      const key = JSON.stringify([row.subject, team, day, row.person]);
      const known = present.get(key);
      if (!known || known.people < row.people) {
        present.set(key, row);
      }
    }
  }
  const fresh: PresenceRow[] = [];
  for (const rows of chunksOf(inKeyOrder(present))) {
    const changed = await trx('presence')
      .insert(rows)
      .onConflict(['subject', 'team', 'day', 'person'])
      .merge(['people'])
      .where('presence.people', '<', trx.ref('excluded.people'))
      .returning(['subject', 'team', 'day', 'person', 'people']);
    fresh.push(...changed);
  }
  return fresh;
}

/** One order for all writers: who locks rows in the same order never deadlocks. */
function inKeyOrder<T>(byKey: ReadonlyMap<string, T>): T[] {
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
}
