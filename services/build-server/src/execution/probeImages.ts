import type { Executor, ImagesStatus } from './Executor.ts';

/** Pages of many people ask; the engine answers only so often. */
const CACHE_MS = 10_000;

/** Tests what runs the jobs with a container; null if nothing does. Never fails. */
export type ProbeImages = () => Promise<ImagesStatus | null>;

/** An executor of jobs with a container, which can be tested unless it is a cluster. */
export interface ImagesExecutor extends Executor {
  probe?(): Promise<ImagesStatus>;
}

/** Creates the test of an executor. One that cannot be tested has no fault. */
export function probeOf(executor: ImagesExecutor): ProbeImages {
  let tested: Promise<ImagesStatus> | undefined;
  let testedAt = -Infinity;
  return () => {
    if (!tested || performance.now() - testedAt > CACHE_MS) {
      testedAt = performance.now();
      tested =
        executor.probe?.() ??
        Promise.resolve({ ...executor.status, engine: null, fault: null });
    }
    return tested;
  };
}
