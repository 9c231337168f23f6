import type { Executor, ImagesStatus } from './Executor.ts';

/** Time for which a probe is cached, since every open page requests it. */
const CACHE_MS = 10_000;

/** Probes the executor of jobs with a container; resolves to null if there is none, and never rejects. */
export type ProbeImages = () => Promise<ImagesStatus | null>;

/** An executor of jobs with a container, which can be tested unless it is a cluster. */
export interface ImagesExecutor extends Executor {
  probe?(): Promise<ImagesStatus>;
}

/** Creates a cached probe of an executor. An executor without `probe` is reported as working. */
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
