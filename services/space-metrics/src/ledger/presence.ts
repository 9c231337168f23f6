import type { Knex } from 'knex';
import { ALL_TEAMS } from '../people/team.ts';
import {
  NOBODY_KNOWN,
  type Contribution,
  type Presence,
} from './Contribution.ts';
import { inKeyOrder } from './inKeyOrder.ts';
import { insertRows } from './insertRows.ts';
import { spanOf } from './spans.ts';

/** That somebody of a team was present on a day. */
export interface PresenceRow extends Presence {
  readonly team: string;
  /** A `LocalDay` of the reporting zone. */
  readonly day: number;
}

/**
 * Notes who was present, by day and by span.
 *
 * @returns the rows that were not there before, or count more people than before.
 */
export async function addPresence(
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
  const fresh = await insertRows<PresenceRow>(trx, {
    table: 'presence',
    columns: {
      subject: 'TEXT',
      team: 'TEXT',
      day: 'INTEGER',
      person: 'INTEGER',
      people: 'INTEGER',
    },
    rows: inKeyOrder(present).map(row => [
      row.subject,
      row.team,
      row.day,
      row.person,
      row.people,
    ]),
    then: `ON CONFLICT (subject, team, day, person)
      DO UPDATE SET people = excluded.people WHERE presence.people < excluded.people
      RETURNING subject, team, day, person, people`,
  });
  await addSpans(trx, fresh);
  return fresh;
}

async function addSpans(
  trx: Knex.Transaction,
  fresh: readonly PresenceRow[],
): Promise<void> {
  const spans = new Map<string, [string, string, number, number, number]>();
  for (const { subject, team, day, person } of fresh) {
    if (person !== NOBODY_KNOWN) {
      const { span, days } = spanOf(day);
      for (const scope of [team, ALL_TEAMS]) {
        const key = JSON.stringify([subject, scope, span, person]);
        const others = spans.get(key)?.[4] ?? 0;
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
      DO UPDATE SET days = presence_spans.days | excluded.days`,
  });
}
