import { setTimeout as sleep } from 'node:timers/promises';
import type { V1Pod } from '@kubernetes/client-node';
import { ClusterUnreachableError } from '@slipway/cluster-client';
import { PlaceLostError } from '../Executor.ts';
import type { BuildCluster } from './BuildCluster.ts';
import { isOverdue, type PodState, readPod } from './podState.ts';

const POLL_MS = 500;
/** Time for an error that prevents a container from starting to pass. */
const STUCK_MS = 60_000;
/** Time for the cluster to respond again before its builds are given up. */
export const LOST_AFTER_MS = 120_000;

/** A state in which the pod exists. */
type Seen =
  | { kind: 'running'; pod: V1Pod }
  | { kind: 'ended'; pod: V1Pod; code: number; isOutOfMemory: boolean }
  | { kind: 'failed'; why: string };

/**
 * Yields the states of a Job's pod, from its start to its end. Tolerates a cluster that is
 * unreachable for a while.
 *
 * @throws PlaceLostError if the cluster took the pod away, or no longer responds.
 * @throws the reason of the signal.
 */
export async function* watchPod(options: {
  cluster: BuildCluster;
  job: string;
  /** Milliseconds for the pod to start. */
  startMs: number;
  signal: AbortSignal;
}): AsyncGenerator<Seen> {
  const { cluster, job, startMs, signal } = options;
  const startedAt = performance.now();
  let respondedAt = startedAt;
  let isKnown = false;
  for (;;) {
    let found: { pod?: V1Pod; state: PodState } | undefined;
    try {
      found = await look(cluster, job, isKnown);
      respondedAt = performance.now();
    } catch (error) {
      if (!(error instanceof ClusterUnreachableError)) {
        throw error;
      }
      if (performance.now() - respondedAt > LOST_AFTER_MS) {
        throw new PlaceLostError(error.message);
      }
    }
    signal.throwIfAborted();
    isKnown ||= found?.pod !== undefined;
    const { pod, state } = found ?? {};
    if (state?.kind === 'lost') {
      throw new PlaceLostError(state.why);
    } else if (state?.kind === 'failed') {
      yield state;
      return;
    } else if (state?.kind === 'waiting') {
      const limit = state.isStuck ? Math.min(startMs, STUCK_MS) : startMs;
      if (performance.now() - startedAt > limit) {
        yield { kind: 'failed', why: `its pod did not start: ${state.why}` };
        return;
      }
    } else if (state && pod) {
      yield { ...state, pod };
      if (state.kind === 'ended') {
        return;
      }
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
}

async function look(
  cluster: BuildCluster,
  job: string,
  isKnown: boolean,
): Promise<{ pod?: V1Pod; state: PodState }> {
  const [pod, ...others] = await cluster.listPods(job);
  if (others.length > 0) {
    return { state: { kind: 'lost', why: 'the cluster started it twice' } };
  }
  if (pod) {
    return { pod, state: readPod(pod) };
  }
  const found = await cluster.getJob(job);
  if (isOverdue(found)) {
    return { state: { kind: 'failed', why: 'it ran longer than its pod may' } };
  }
  return isKnown || !found
    ? { state: { kind: 'lost', why: 'its pod is gone' } }
    : {
        state: {
          kind: 'waiting',
          isStuck: false,
          why: `the Job ${job} has no pod yet`,
        },
      };
}
