import type { Knex } from 'knex';
import type { Subject } from '../ledger/Contribution.ts';
import { jsonList, jsonMember } from '../ledger/jsonList.ts';
import { selectRows } from '../ledger/selectRows.ts';
import { countDays, spansOf } from '../ledger/spans.ts';
import type { TeamDays } from '../privacy/Releases.ts';
import type { Crowd } from './MetricsStore.ts';

/** Rows of one team and subject, with those of their days that are asked about. */
const PRESENT = `SELECT person, days FROM (
    SELECT person, CAST(days AS BIGINT)
      & CASE span WHEN ? THEN ? WHEN ? THEN ? ELSE -1 END AS days
    FROM presence_spans
    WHERE subject = ? AND team = ? AND span BETWEEN ? AND ?) AS asked
  WHERE days <> 0`;

const COUNT_PEOPLE = `SELECT COUNT(DISTINCT person) AS people FROM (${PRESENT}) AS present`;

/** Adds up bits two, four and eight at a time: the databases count them in no common way. */
const COUNT_DAYS = `SELECT COUNT(DISTINCT person) AS people,
    SUM((((fours + (fours >> 4)) & 252645135) * 16843009 >> 24) & 255) AS person_days
  FROM (SELECT person, (twos & 858993459) + ((twos >> 2) & 858993459) AS fours
    FROM (SELECT person, days - ((days >> 1) & 1431655765) AS twos
      FROM (${PRESENT}) AS present) AS pairs) AS nibbles`;

/** Who was present on days of one team, or of all. */
export async function readCrowd(
  knex: Knex,
  question: { subject: Subject; days: TeamDays },
): Promise<Crowd> {
  const [row] = await selectRows<{
    people: number | string;
    person_days: number | string | null;
  }>(knex, COUNT_DAYS, bindingsOf(question));
  return { people: Number(row.people), personDays: Number(row.person_days) };
}

/** How many people were present: a third of the work of {@link readCrowd}. */
export async function readPeople(
  knex: Knex,
  question: { subject: Subject; days: TeamDays },
): Promise<number> {
  const [row] = await selectRows<{ people: number | string }>(
    knex,
    COUNT_PEOPLE,
    bindingsOf(question),
  );
  return Number(row.people);
}

function bindingsOf({
  subject,
  days,
}: {
  subject: Subject;
  days: TeamDays;
}): (string | number)[] {
  const spans = spansOf(days);
  const first = spans[0];
  const last = spans.at(-1)!;
  const masks = [first.span, first.days, last.span, last.days];
  return [...masks, subject, days.team, first.span, last.span];
}

/**
 * Who was present on many days of many teams: somebody who was in two of them on the
 * same day counts once.
 */
export async function readCrowds(
  knex: Knex,
  questions: readonly { subject: Subject; days: readonly TeamDays[] }[],
): Promise<Crowd[]> {
  const asked = questions.flatMap(({ subject, days }, key) =>
    days.flatMap(each =>
      spansOf(each).map(span => [
        key,
        subject,
        each.team,
        span.span,
        span.days,
      ]),
    ),
  );
  const crowds = questions.map(() => new Map<string, number>());
  if (asked.length > 0) {
    const columns = [
      jsonMember(0, { name: 'key', type: 'INTEGER' }),
      jsonMember(1, { name: 'subject', type: 'TEXT' }),
      jsonMember(2, { name: 'team', type: 'TEXT' }),
      jsonMember(3, { name: 'span', type: 'INTEGER' }),
      jsonMember(4, { name: 'days', type: 'INTEGER' }),
    ];
    const rows = await selectRows<{
      key: number;
      person: number;
      span: number;
      days: number;
    }>(
      knex,
      // CROSS JOIN makes SQLite look each span up by the primary key.
      `WITH asked AS (SELECT ${columns.join(', ')} FROM ${jsonList(knex)})
       SELECT asked.key AS key, p.person AS person, p.span AS span,
         p.days & asked.days AS days
       FROM asked CROSS JOIN presence_spans p
       WHERE p.subject = asked.subject AND p.team = asked.team
         AND p.span = asked.span AND p.days & asked.days <> 0`,
      [JSON.stringify(asked)],
    );
    for (const { key, person, span, days } of rows) {
      const name = `${person} ${span}`;
      crowds[key].set(name, (crowds[key].get(name) ?? 0) | days);
    }
  }
  return crowds.map(present => ({
    people: new Set([...present.keys()].map(name => name.split(' ')[0])).size,
    personDays: [...present.values()].reduce(
      (sum, days) => sum + countDays(days),
      0,
    ),
  }));
}
