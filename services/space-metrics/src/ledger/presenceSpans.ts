import type { Knex } from 'knex';
import { ALL_TEAMS } from '../people/team.ts';
import type { Contribution } from './Contribution.ts';
import { inKeyOrder } from './inKeyOrder.ts';
import { insertRows } from './insertRows.ts';
import { spanOf } from './spans.ts';

type Span = [
  subject: string,
  team: string,
  span: number,
  person: number,
  days: number,
];

/** Notes on which days people were present, of their team and of all teams. */
export async function addPresence(
  trx: Knex.Transaction,
  contributions: readonly Contribution[],
): Promise<void> {
  await writeSpans(trx, {
    contributions,
    days: 'presence_spans.days | excluded.days',
  });
}

/**
 * Takes days of people back. A day is taken whole: only for subjects that know a person
 * once a day at most.
 */
export async function removePresence(
  trx: Knex.Transaction,
  contributions: readonly Contribution[],
): Promise<void> {
  await writeSpans(trx, {
    contributions,
    days: 'presence_spans.days & ~excluded.days',
  });
}

async function writeSpans(
  trx: Knex.Transaction,
  options: { contributions: readonly Contribution[]; days: string },
): Promise<void> {
  const spans = new Map<string, Span>();
  for (const { team, day, presence } of options.contributions) {
    if (presence) {
      const { subject, person } = presence;
      const { span, days } = spanOf(day);
      for (const scope of [team, ALL_TEAMS]) {
        const key = JSON.stringify([subject, scope, span, person]);
        const others = spans.get(key)?.[4] ?? 0;
        // eslint-disable-next-line no-bitwise
        spans.set(key, [subject, scope, span, person, others | days]);
      }
    }
  }
  await insertRows(trx, {
    table: 'presence_spans',
    columns: {
      subject: 'TEXT',
      team: 'TEXT',
      span: 'INTEGER',
      person: 'INTEGER',
      days: 'INTEGER',
    },
    rows: inKeyOrder(spans),
    then: `ON CONFLICT (subject, team, span, person)
      DO UPDATE SET days = ${options.days}`,
  });
}
