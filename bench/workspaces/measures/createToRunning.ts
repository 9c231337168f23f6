import type { Bench } from '../Bench.ts';
import { percentile, summary, type Row } from '../Row.ts';

const RUNS = 10;
const TARGET_MS = 3_000;

/** One workspace at a time, from the request to Running. Takes turns with the peer, so that both see the same machine. */
export async function createToRunning({ portal, byHand }: Bench): Promise<Row> {
  const platform: number[] = [];
  const hand: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const asked = performance.now();
    const { workspaceId } = await portal.api.create({
      devfileUrl: portal.devfileUrl,
    });
    await portal.api.until(workspaceId, 'Running');
    platform.push(performance.now() - asked);
    await portal.api.delete(workspaceId);

    const begun = performance.now();
    const editor = await byHand.start();
    hand.push(performance.now() - begun);
    editor.end();
  }
  return {
    what: `Create to Running, ${RUNS} times`,
    target: `p95 ≤ ${TARGET_MS / 1000} s`,
    measured: summary(platform),
    beside: `by hand: ${summary(hand)}`,
    met: percentile(platform, 95) <= TARGET_MS,
  };
}
