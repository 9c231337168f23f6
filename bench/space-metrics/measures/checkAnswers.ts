import type { Knex } from 'knex';
import type { SpaceMetricsProcess } from '../SpaceMetricsProcess.ts';
import { pathOf, type Question } from '../Organisation.ts';

/** The numbers of a result that plain SQL also computes, by dimension and name. */
type Numbers = Record<string, Record<string, number>>;

/** Computes a result directly from the records, without rollups. */
async function plainAnswer(
  knex: Knex,
  { team, from, to }: Question,
): Promise<Numbers> {
  const ask = async (select: string, table: string) => {
    const row = await knex(table)
      .select(knex.raw(select))
      .whereBetween('day', [from, to])
      .modify(query => team && query.where({ team }))
      .first();
    return Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, Number(value)]),
    );
  };
  const events = await ask(
    `SUM(CASE WHEN kind = 'pull_request_merged' THEN amount ELSE 0 END) AS merged,
     SUM(CASE WHEN kind = 'chat_message' THEN amount ELSE 0 END) AS chat,
     SUM(CASE WHEN kind IN ('pull_request_comment', 'review') THEN amount ELSE 0 END) AS comments,
     SUM(CASE WHEN kind = 'docs_update' THEN amount ELSE 0 END) AS docs,
     SUM(CASE WHEN kind = 'build' THEN amount ELSE 0 END) AS builds,
     SUM(CASE WHEN result = 'SUCCESS' THEN amount ELSE 0 END) AS succeeded,
     COUNT(DISTINCT CASE WHEN kind IN ('commit', 'pull_request_merged')
       THEN person * 100000 + day END) AS person_days,
     COUNT(DISTINCT CASE WHEN kind IN ('commit', 'pull_request_merged')
       THEN person END) AS people`,
    'activity_events',
  );
  const surveys = await ask(
    'COUNT(*) AS answers, SUM(overall_satisfaction) AS satisfaction',
    'pulse_surveys',
  );
  const loads = await ask(
    'COUNT(*) AS count, SUM(effort) AS effort',
    'cognitive_loads',
  );
  return {
    satisfaction: {
      avg_rating: ratio(surveys.satisfaction, surveys.answers),
      response_count: surveys.answers,
    },
    performance: {
      build_success_rate: ratio(events.succeeded, events.builds, 4),
    },
    activity: {
      prs_merged: events.merged,
      active_days: ratio(events.person_days, events.people),
    },
    communication: {
      chat_messages: events.chat,
      pr_comments: events.comments,
      docs_updates: events.docs,
    },
    efficiency: { cognitive_load_index: ratio(loads.effort, loads.count) },
  };
}

function ratio(part: number, whole: number, digits = 2): number {
  return whole === 0 ? 0 : Number((part / whole).toFixed(digits));
}

/** Tolerance for rounding of the last digit. */
const TOLERANCE = 0.011;

/**
 * Compares the service's results with plain SQL.
 *
 * @param service - service with a minimum group size of 1, so that nothing is hidden.
 * @returns duration of plain SQL for each query, in milliseconds.
 * @throws Error naming the query and the field that differ.
 */
export async function checkAnswers(
  service: SpaceMetricsProcess,
  options: { knex: Knex; questions: readonly Question[] },
): Promise<number[]> {
  const times: number[] = [];
  for (const question of options.questions) {
    const begun = performance.now();
    const plain = await plainAnswer(options.knex, question);
    times.push(performance.now() - begun);
    const answer: { metrics: Numbers } = JSON.parse(
      await service.get(pathOf(question)),
    );
    for (const [dimension, numbers] of Object.entries(plain)) {
      for (const [field, expected] of Object.entries(numbers)) {
        const told = answer.metrics[dimension][field];
        if (!(Math.abs(told - expected) < TOLERANCE)) {
          throw new Error(
            `${question.what}: ${field} is ${told}, by plain SQL ${expected}`,
          );
        }
      }
    }
  }
  return times;
}
