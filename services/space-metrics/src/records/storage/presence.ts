import type { Knex } from 'knex';
import { ALL_TEAMS } from '../../people/team.ts';
import type { LocalDay } from '../../periods/LocalDay.ts';
import { inKeyOrder, insertRows } from '../../storage/sql.ts';
import type { Contribution } from '../Contribution.ts';

type Span = [
  subject: string,
  team: string,
  span: number,
  person: number,
  days: number,
];

/** Records on which days people were present, for their team and for all teams. */
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
 * Removes days of people. A day is removed as a whole, so this may only be used for subjects with
 * at most one record per person and day.
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

/** Number of days in a span, the number of usable bits in a PostgreSQL integer. */
const DAYS = 31;
const EVERY_DAY = 2 ** DAYS - 1;

/** Some days of a span of 31 days, counted from 1970-01-01. */
export interface SpanDays {
  readonly span: number;
  /** Bit n represents day n of the span. */
  readonly days: number;
}

/** Returns the span of a day, with only the bit of that day set. */
export function spanOf(day: LocalDay): SpanDays {
  return { span: Math.floor(day / DAYS), days: 2 ** (day % DAYS) };
}

/**
 * Returns the spans that overlap a period, both days inclusive, each with the days of the period in
 * it.
 */
export function spansOf({
  from,
  to,
}: {
  from: LocalDay;
  to: LocalDay;
}): SpanDays[] {
  const first = spanOf(from);
  const last = spanOf(to);
  return Array.from({ length: last.span - first.span + 1 }, (_, index) => {
    const span = first.span + index;
    // Days from bit n on: all but the lower bits. Days up to bit n: all below the next bit.
    const since =
      span === first.span ? EVERY_DAY - (first.days - 1) : EVERY_DAY;
    const until = span === last.span ? last.days * 2 - 1 : EVERY_DAY;
    // eslint-disable-next-line no-bitwise
    return { span, days: since & until };
  });
}

/** Counts the days in a set of bits. */
export function countDays(days: number): number {
  let count = 0;
  for (let left = days; left > 0; left = Math.floor(left / 2)) {
    count += left % 2;
  }
  return count;
}
