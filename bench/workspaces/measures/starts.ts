import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { duration, percentile, type Row, summary } from '../../runBench.ts';
import type { Bench } from '../Bench.ts';
import type { HandStarted } from '../HandStarter.ts';

const RUNS = 10;
const CREATE_TARGET_MS = 3_000;

/**
 * Measures the time from the request to create a workspace until it is Running, one at a time.
 * Alternates with the start by hand, so that both see the same load on the machine.
 */
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
    target: `p95 ≤ ${CREATE_TARGET_MS / 1000} s`,
    measured: summary(platform),
    beside: `by hand: ${summary(hand)}`,
    met: percentile(platform, 95) <= CREATE_TARGET_MS,
  };
}

const WORKSPACES = 20;
const ALL_TARGET_MS = 60_000;
const POLL_MS = 200;
/** The default of `ideLauncher.local.limits.concurrentStarts`. */
const CONCURRENT_STARTS = availableParallelism();

/** Creates twenty workspaces at once, and measures the time until all of them are running. */
export async function manyAtOnce(bench: Bench): Promise<Row> {
  const platform = await allOnPlatform(bench);
  const hand = await allByHand(bench);
  return {
    what: `${WORKSPACES} workspaces at once, all Running`,
    target: `≤ ${duration(ALL_TARGET_MS)}`,
    measured: duration(platform),
    beside: `by hand, ${CONCURRENT_STARTS} at a time: ${duration(hand)}`,
    met: platform <= ALL_TARGET_MS,
  };
}

async function allOnPlatform({ portal }: Bench): Promise<number> {
  const { api, devfileUrl } = portal;
  const asked = performance.now();
  const created = await Promise.all(
    Array.from({ length: WORKSPACES }, () => api.create({ devfileUrl })),
  );
  for (;;) {
    const { workspaces } = await api.list();
    const failed = workspaces.find(workspace => workspace.failed);
    if (failed) {
      throw new Error(`${failed.name} failed: ${failed.statusMessage}`);
    }
    if (workspaces.every(({ status }) => status === 'Running')) {
      break;
    }
    await sleep(POLL_MS);
  }
  const took = performance.now() - asked;
  await Promise.all(created.map(({ workspaceId }) => api.delete(workspaceId)));
  return took;
}

async function allByHand(bench: Bench): Promise<number> {
  const begun = performance.now();
  const editors: HandStarted[] = [];
  let left = WORKSPACES;
  await Promise.all(
    Array.from({ length: CONCURRENT_STARTS }, async () => {
      while (left > 0) {
        left -= 1;
        editors.push(await bench.byHand.start());
      }
    }),
  );
  const took = performance.now() - begun;
  editors.forEach(editor => editor.end());
  return took;
}
