import { createHook } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Growth of the old generation that triggers a collection, in percent of what survived the last
 * one. By default, V8 waits until it is up to four times as large.
 */
const GROWTH_PERCENT = 50;

/** Makes V8 keep less garbage and collect it faster. Call it before the service is created. */
export function boundHeap(): void {
  // Otherwise V8 may allocate objects of requests directly in the old generation, where each keeps
  // its whole request alive until a full collection (docs/adr/0050).
  setFlagsFromString('--no-allocation-site-pretenuring');
  // So few objects of requests survive a collection that starting its helper threads takes longer
  // than copying them (docs/adr/0065).
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  keepShapeOfTicks();
}

/** Holds an object that `process.nextTick()` queued; see {@link keepShapeOfTicks}. */
const ticks: object[] = [];

/**
 * Keeps one queue object of `process.nextTick()` alive, so that V8 keeps its hidden class.
 * Collections in an idle service drop hidden classes without instances. For these objects, V8 then
 * adds each property through its runtime until the process ends, which costs 1 µs per request
 * (docs/adr/0080).
 */
function keepShapeOfTicks(): void {
  const hook = createHook({
    init(_asyncId, type, _triggerAsyncId, resource) {
      if (type === 'TickObject') {
        ticks.push(resource);
      }
    },
  }).enable();
  process.nextTick(() => {});
  hook.disable();
}

/**
 * Returns memory to the system that only startup needed. V8 would do it at the next full
 * collection, which an idle service may not reach for hours. Blocks for about 50 ms.
 */
export function releaseStartUpMemory(): void {
  // Node.js exposes the collector in no other way, unless the flag is on its command line.
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
