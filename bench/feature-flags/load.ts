import { Client } from 'undici';
import { doJob, forkJob } from '../forkedJob.ts';

/** What a load process is to ask for, again and again. */
export interface LoadJob {
  url: string;
  headers: Record<string, string>;
  /** The status expected of every answer; any other ends the run. */
  status: number;
  /** Each asks again as soon as it was answered. */
  connections: number;
  warmUpMs: number;
  measureMs: number;
}

/** What came of it, after warming up. */
export interface LoadResult {
  perSecond: number;
  /** The time from each request to its answer, in milliseconds. */
  latencies: number[];
}

/** Sends load from another process. @throws Error when any request is not answered as it should be. */
export function sendLoad(job: LoadJob): Promise<LoadResult> {
  return forkJob(import.meta.url, job);
}

async function load(job: LoadJob): Promise<LoadResult> {
  const { origin, pathname } = new URL(job.url);
  const counted = performance.now() + job.warmUpMs;
  const end = counted + job.measureMs;
  const latencies: number[] = [];
  const connection = async () => {
    const client = new Client(origin, { pipelining: 1 });
    for (let begun = performance.now(); begun < end;) {
      const { statusCode, body } = await client.request({
        method: 'GET',
        path: pathname,
        headers: job.headers,
      });
      // Read to its end: what is not read is not sent.
      for await (const chunk of body) {
        void chunk;
      }
      if (statusCode !== job.status) {
        throw new Error(`${job.url} was answered ${statusCode}`);
      }
      const now = performance.now();
      if (begun >= counted && now <= end) {
        latencies.push(now - begun);
      }
      begun = now;
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: job.connections }, connection));
  return { perSecond: (latencies.length * 1_000) / job.measureMs, latencies };
}

doJob(load);
