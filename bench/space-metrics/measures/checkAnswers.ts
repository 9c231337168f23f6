import type { Knex } from 'knex';
import type { SpaceMetricsProcess } from '../SpaceMetricsProcess.ts';
import { plainAnswer, type Numbers } from './plainAnswer.ts';
import { pathOf, type Question } from './questions.ts';

/** Rounding of the last digit may fall either way. */
const TOLERANCE = 0.011;

/**
 * Holds the service's answers against plain SQL.
 *
 * @param service - showing everything: with a minimum group size of 1.
 * @returns what plain SQL took of each question, in milliseconds.
 * @throws Error naming the question and the field that differ.
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
