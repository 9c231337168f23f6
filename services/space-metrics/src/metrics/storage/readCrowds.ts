import type { Knex } from 'knex';
import type { Subject } from '../../records/Contribution.ts';
import { countDays, spansOf } from '../../records/storage/presence.ts';
import { jsonList, jsonMember, selectRows } from '../../storage/sql.ts';

/** Days of one team, or of all: both inclusive. */
export interface CrowdQuestion {
  readonly subject: Subject;
  readonly team: string;
  readonly from: number;
  readonly to: number;
}

/** The people who were present. */
export interface Crowd {
  /** Different people. */
  readonly people: number;
  /** Days on which each of them was present, added up. */
  readonly personDays: number;
}

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

/** Counts who was present, and on how many days. */
export async function readCrowd(
  knex: Knex,
  question: CrowdQuestion,
): Promise<Crowd> {
  const [row] = await selectRows<{
    people: number | string;
    person_days: number | string | null;
  }>(knex, COUNT_DAYS, bindingsOf(question));
  return { people: Number(row.people), personDays: Number(row.person_days) };
}

/** Counts how many people were present, without their days: a third of the work of {@link readCrowd}. */
export async function readPeople(
  knex: Knex,
  question: CrowdQuestion,
): Promise<Crowd> {
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

/** Counts who was present, for many questions at once. */
export async function readCrowds(
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
    // CROSS JOIN makes SQLite look each span up by the primary key.
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
