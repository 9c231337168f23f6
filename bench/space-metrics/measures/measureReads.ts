import { sendLoad } from '../client/sendLoad.ts';
import {
  requestHeaders,
  type SpaceMetricsProcess,
} from '../SpaceMetricsProcess.ts';
import { pathOf, type Question } from './questions.ts';

const WARM_UP_MS = 2_000;

/**
 * Asks one question after the other over one connection.
 *
 * @param service - that remembers no answers.
 * @returns milliseconds of each answer, by question.
 */
export async function measureReads(
  service: SpaceMetricsProcess,
  options: { questions: readonly Question[]; seconds: number },
): Promise<number[][]> {
  const times: number[][] = [];
  for (const question of options.questions) {
    const { latencies } = await sendLoad({
      origin: service.url,
      path: pathOf(question),
      headers: requestHeaders,
      connections: 1,
      warmUpMs: WARM_UP_MS,
      measureMs: options.seconds * 1_000,
    });
    times.push(latencies);
  }
  return times;
}
