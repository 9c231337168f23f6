import type { BareProcess } from '../bare/BareProcess.ts';
import { sendLoad } from '../client/sendLoad.ts';
import {
  requestHeaders,
  type SpaceMetricsProcess,
} from '../SpaceMetricsProcess.ts';
import { pathOf, type Question } from './questions.ts';

const CONNECTIONS = 32;
const WARM_UP_MS = 1_000;
/** They take turns, so that whatever else the machine does slows both. */
const ROUNDS = 3;

/** Requests a second. */
export interface CachedRates {
  service: number;
  bare: number;
}

/** Has the same answer given by the service from its cache and by a bare route. */
export async function measureCached(
  service: SpaceMetricsProcess,
  options: { bare: BareProcess; question: Question; seconds: number },
): Promise<CachedRates> {
  const { bare, question, seconds } = options;
  const path = pathOf(question);
  await bare.answerWith(await service.get(path));
  const rate = async (origin: string, askedPath: string) => {
    const { perSecond } = await sendLoad({
      origin,
      path: askedPath,
      headers: requestHeaders,
      connections: CONNECTIONS,
      warmUpMs: WARM_UP_MS,
      measureMs: (seconds * 1_000) / ROUNDS,
    });
    return perSecond / ROUNDS;
  };
  const rates: CachedRates = { service: 0, bare: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.bare += await rate(bare.url, '/answer');
    rates.service += await rate(service.url, path);
  }
  return rates;
}
