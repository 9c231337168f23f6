import type { V1Job, V1Pod } from '@kubernetes/client-node';

/** Progress of the pod of a command. */
export type PodState =
  | { kind: 'waiting'; why: string; isStuck: boolean }
  | { kind: 'running' }
  | { kind: 'ended'; code: number; isOutOfMemory: boolean }
  /** The pod can never start, or was ended for its own fault; the end of a sentence. */
  | { kind: 'failed'; why: string }
  /** The cluster took the pod away; the end of a sentence. */
  | { kind: 'lost'; why: string };

/** Reasons for which the cluster ends a pod that did nothing wrong. */
const LOST_REASONS: ReadonlySet<string> = new Set([
  'Evicted',
  'NodeAffinity',
  'NodeLost',
  'NodeShutdown',
  'Preempting',
  'Shutdown',
  'Terminated',
  'UnexpectedAdmissionError',
]);
/** Reasons that cannot be resolved by waiting. */
const HOPELESS: ReadonlySet<string> = new Set([
  'ErrImageNeverPull',
  'InvalidImageName',
]);
/** Reasons that waiting resolves only rarely. */
const STUCK: ReadonlySet<string> = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImagePull',
  'ImagePullBackOff',
  'RunContainerError',
]);

/** Returns the state of a pod. A status without information counts as waiting, never as success. */
export function readPod(pod: V1Pod): PodState {
  const { status = {}, metadata } = pod;
  const message = status.message ? `: ${status.message}` : '';
  const [container] = status.containerStatuses ?? [];
  const { terminated, running, waiting } = container?.state ?? {};
  const disruption = status.conditions?.find(
    ({ type, status: is }) => type === 'DisruptionTarget' && is === 'True',
  );
  if (status.reason === 'DeadlineExceeded') {
    return { kind: 'failed', why: 'it ran longer than its pod may' };
  }
  if (LOST_REASONS.has(status.reason ?? '') || disruption) {
    const reason = status.reason ?? disruption?.reason;
    const why =
      message || (disruption?.message ? `: ${disruption.message}` : '');
    return { kind: 'lost', why: `its pod was taken away (${reason})${why}` };
  }
  if (terminated?.reason === 'ContainerStatusUnknown') {
    return {
      kind: 'lost',
      why: 'the node of its pod does not know it any more',
    };
  }
  if (terminated) {
    return metadata?.deletionTimestamp
      ? { kind: 'lost', why: 'its pod was deleted' }
      : {
          kind: 'ended',
          code: terminated.exitCode,
          isOutOfMemory: terminated.reason === 'OOMKilled',
        };
  }
  if (running) {
    return { kind: 'running' };
  }
  if (status.phase === 'Failed') {
    return {
      kind: 'lost',
      why: `its pod failed${message || ` (${status.reason})`}`,
    };
  }
  return readWaiting(pod, waiting);
}

function readWaiting(
  { status = {} }: V1Pod,
  waiting: { reason?: string; message?: string } | undefined,
): PodState {
  const { reason = '', message } = waiting ?? {};
  const why = message ? `${reason}: ${message}` : reason;
  if (HOPELESS.has(reason)) {
    return { kind: 'failed', why: `its pod cannot start: ${why}` };
  }
  const unscheduled = status.conditions?.find(
    ({ type, status: is }) => type === 'PodScheduled' && is === 'False',
  );
  return {
    kind: 'waiting',
    isStuck: STUCK.has(reason),
    why: why || unscheduled?.message || 'it is being prepared',
  };
}

/** Checks whether a Job ended because it took too long; the cluster deletes its pod in that case. */
export function isOverdue(job: V1Job | undefined): boolean {
  return (job?.status?.conditions ?? []).some(
    ({ type, status, reason }) =>
      type === 'Failed' && status === 'True' && reason === 'DeadlineExceeded',
  );
}

/** Returns why the program of a pod failed, as the end of a sentence; null if it did not. */
export function describeEnd(
  { code, isOutOfMemory }: { code: number; isOutOfMemory: boolean },
  { memoryMiB }: { memoryMiB: number },
): string | null {
  if (isOutOfMemory) {
    return `it used more than ${memoryMiB} MiB of memory`;
  }
  return code === 0 ? null : `it ended with exit code ${code}`;
}
