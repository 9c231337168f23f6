import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../Bench.ts';
import type { HandStarted } from '../HandStarter.ts';
import { duration, type Row } from '../Row.ts';

const WORKSPACES = 20;
const TARGET_MS = 60_000;
const POLL_MS = 200;
/** `ideLauncher.local.limits.concurrentStarts` unless configured. */
const CONCURRENT_STARTS = availableParallelism();

/** Twenty creations in one moment, until all of them run at the same time. */
export async function manyAtOnce(bench: Bench): Promise<Row> {
  const platform = await onPlatform(bench);
  const hand = await byHand(bench);
  return {
    what: `${WORKSPACES} workspaces at once, all Running`,
    target: `≤ ${duration(TARGET_MS)}`,
    measured: duration(platform),
    beside: `by hand, ${CONCURRENT_STARTS} at a time: ${duration(hand)}`,
    met: platform <= TARGET_MS,
  };
}

async function onPlatform({ portal }: Bench): Promise<number> {
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

async function byHand(bench: Bench): Promise<number> {
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
