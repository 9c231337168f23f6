import { setTimeout as sleep } from 'node:timers/promises';
import { type LakeClient, LakeRequestError } from './LakeClient.ts';
import type { Progress } from './Progress.ts';

const POLL_MS = 500;

/** Long-running jobs of the lake. */
export type JobKind = 'replay' | 'rebuild' | 'deletion';

const PATHS: Readonly<Record<JobKind, string>> = {
  replay: '/replay',
  rebuild: '/rebuild',
  deletion: '/people/deletions',
};

interface Job {
  id: string;
  status: string;
  done: number;
  total: number;
  error?: string | null;
}

function isJob(answer: unknown): answer is Job {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'id' in answer &&
    typeof answer.id === 'string' &&
    'status' in answer &&
    typeof answer.status === 'string'
  );
}

function jobOf(answer: unknown): Job {
  if (!isJob(answer)) {
    throw new LakeRequestError('The portal did not answer with a job');
  }
  return answer;
}

/**
 * Starts a job of the lake and waits until it has ended. The job continues if this process ends
 * first.
 *
 * @returns the number of units it processed.
 * @throws LakeRequestError if the job fails.
 */
export async function followJob(options: {
  kind: JobKind;
  /** The body of the request that starts it. */
  body?: object;
  client: LakeClient;
  progress: Progress;
  pollMs?: number;
}): Promise<number> {
  const { kind, body = {}, client, progress, pollMs = POLL_MS } = options;
  let job = jobOf(await client.post(PATHS[kind], body));
  while (job.status === 'running') {
    progress.update(job.done, job.total, `${job.done} of ${job.total}`);
    await sleep(pollMs);
    job = jobOf(await client.get(`/jobs/${encodeURIComponent(job.id)}`));
  }
  progress.update(job.done, job.total, `${job.done} of ${job.total}`);
  if (job.status !== 'done') {
    throw new LakeRequestError(
      `The ${kind} failed${job.error ? `: ${job.error}` : ''}`,
    );
  }
  return job.done;
}
