import type { Contribution } from '../../records/Contribution.ts';
import { type Database, GroupWriter } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { cycleOf } from '../../periods/LocalDay.ts';
import { recordContributions } from '../../records/storage/rollups.ts';
import { numberPeople } from '../../storage/numberPeople.ts';
import {
  SUBMISSION_GROUPS,
  insertRows,
  jsonList,
  jsonMember,
  selectRows,
} from '../../storage/sql.ts';
import { type PulseSurvey, contributionOfSurvey } from '../PulseSurvey.ts';

const TABLE = 'pulse_surveys';

const COLUMNS = {
  id: 'TEXT',
  person: 'INTEGER',
  team: 'TEXT',
  occurred_at: 'BIGINT',
  day: 'INTEGER',
  overall_satisfaction: 'INTEGER',
  productivity_this_week: 'INTEGER',
  recommend: 'INTEGER',
  blockers: 'TEXT',
  wins: 'TEXT',
} as const;

/** A survey with the number of its person instead of the hash. */
interface Numbered extends Omit<PulseSurvey, 'personHash'> {
  readonly person: number;
}

/**
 * Stores the surveys that arrive together, with their numbers, in one transaction. Keeps one answer
 * per person and cycle: the latest, unless an earlier one has already been released. Of two with
 * the same time, the one that arrives later is kept.
 */
export class DatabaseSurveyStore {
  readonly #writer: GroupWriter<PulseSurvey, void>;

  /** @param options.cycleDays - days from one survey to the next. */
  constructor(options: { database: Database; cycleDays: number }) {
    const { database, cycleDays } = options;
    this.#writer = new GroupWriter<PulseSurvey, void>({
      ...SUBMISSION_GROUPS,
      write: surveys =>
        database.transaction(async trx => {
          const { added, replaced } = await insertSurveys(trx, {
            surveys,
            cycleDays,
          });
          await recordContributions(trx, added, replaced);
          return surveys.map(() => undefined);
        }),
    });
  }

  /** Resolves once the survey is on disk and part of the numbers. */
  add(survey: PulseSurvey): Promise<void> {
    return this.#writer.add(survey);
  }
}

/** Returns the contribution that a row of the table has made to the numbers. */
export function contributionOfSurveyRow(
  row: Record<string, unknown>,
  person: number,
): Contribution {
  return contributionOfSurvey(surveyOf(row), person);
}

/**
 * Inserts surveys and removes those that they replace. An import may contain surveys that are older
 * than the stored ones, in any order.
 *
 * @returns the changes to the numbers, which the caller has to record.
 */
export async function insertSurveys(
  trx: Knex.Transaction,
  options: { surveys: readonly PulseSurvey[]; cycleDays: number },
): Promise<{ added: Contribution[]; replaced: Contribution[] }> {
  const { surveys, cycleDays } = options;
  const people = await numberPeople(
    trx,
    surveys.map(({ personHash }) => personHash),
    { lock: true },
  );
  const sent = lastOfCycles(
    surveys.map(({ personHash, ...survey }) => ({
      ...survey,
      person: people.get(personHash)!,
    })),
    cycleDays,
  );
  const replaced = await removeReplaced(trx, { surveys: sent, cycleDays });
  const kept = lastOfCycles([...replaced.map(surveyOf), ...sent], cycleDays);
  await insertRows(trx, {
    table: TABLE,
    columns: COLUMNS,
    rows: kept.map(survey => [
      survey.id,
      survey.person,
      survey.team,
      survey.occurredAt,
      survey.day,
      survey.overallSatisfaction,
      survey.productivityThisWeek,
      survey.recommend ?? null,
      survey.blockers,
      survey.wins,
    ]),
  });
  return {
    added: kept.map(survey => contributionOfSurvey(survey, survey.person)),
    replaced: replaced.map(row =>
      contributionOfSurveyRow(row, Number(row.person)),
    ),
  };
}

/**
 * Returns the last survey of each person and cycle; of two with the same time, the later one in the
 * list.
 */
function lastOfCycles(
  surveys: readonly Numbered[],
  cycleDays: number,
): Numbered[] {
  const last = new Map<string, Numbered>();
  for (const survey of surveys) {
    const key = `${survey.person} ${cycleOf(survey.day, cycleDays).start}`;
    const known = last.get(key);
    if (!known || known.occurredAt <= survey.occurredAt) {
      last.set(key, survey);
    }
  }
  return [...last.values()];
}

function surveyOf(row: Record<string, unknown>): Numbered {
  return {
    id: String(row.id),
    person: Number(row.person),
    team: String(row.team),
    occurredAt: Number(row.occurred_at),
    day: Number(row.day),
    overallSatisfaction: Number(row.overall_satisfaction),
    productivityThisWeek: Number(row.productivity_this_week),
    ...(row.recommend !== null && { recommend: Number(row.recommend) }),
    blockers: String(row.blockers),
    wins: String(row.wins),
  };
}

/** Deletes the unreleased surveys of the same people and cycles. @returns the deleted rows. */
function removeReplaced(
  trx: Knex.Transaction,
  options: { surveys: readonly Numbered[]; cycleDays: number },
): Promise<Record<string, unknown>[]> {
  const asked = options.surveys.map(({ person, day }) => {
    const { start, end } = cycleOf(day, options.cycleDays);
    return [person, start, end];
  });
  const columns = [
    jsonMember(0, { name: 'asked_person', type: 'INTEGER' }),
    jsonMember(1, { name: 'first', type: 'INTEGER' }),
    jsonMember(2, { name: 'until', type: 'INTEGER' }),
  ];
  return selectRows(
    trx,
    // CROSS JOIN makes SQLite look up each person.
    `DELETE FROM ${TABLE} WHERE batch IS NULL AND id IN (
       SELECT s.id FROM (SELECT ${columns.join(', ')} FROM ${jsonList(
         trx,
       )}) AS asked
       CROSS JOIN ${TABLE} s
       WHERE s.person = asked.asked_person AND s.batch IS NULL
         AND s.day >= asked.first AND s.day < asked.until)
     RETURNING *`,
    [JSON.stringify(asked)],
  );
}
