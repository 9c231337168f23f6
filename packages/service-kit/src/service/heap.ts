import { createHook } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Growth of the old generation after which V8 collects it, as a share of what survived the last
 * collection, in percent. By default, V8 waits until it is up to four times as large.
 */
const GROWTH_PERCENT = 50;

/** Makes V8 keep less garbage and collect it faster. Call it before the service is created. */
export function boundHeap(): void {
  // Otherwise V8 may place objects of requests in the old generation from the start, and each of
  // them then keeps its whole request until a full collection (docs/adr/0050).
  setFlagsFromString('--no-allocation-site-pretenuring');
  // Few objects of requests outlive a collection, so its helper threads would take longer to start
  // than to copy them (docs/adr/0065).
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  keepShapeOfTicks();
}

/** Holds an object that `process.nextTick()` queued; see {@link keepShapeOfTicks}. */
const ticks: object[] = [];

/**
 * Keeps one object of the queue of `process.nextTick()`, so that V8 keeps its shape. The collections
 * of an idle service drop shapes that no object has, and for these objects V8 then adds each property
 * by a call of its runtime until the process ends: 1 µs for each request (docs/adr/0080).
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
 * Returns the memory to the system that only the start needed. V8 would do it at the next full
 * collection, which an idle service may not reach for hours. Blocks for about 50 ms.
 */
export function releaseStartUpMemory(): void {
  // Node.js has no other way to ask for it unless its command line names the flag.
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
