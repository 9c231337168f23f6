import autocannon from 'autocannon';
import { doJob, forkJob } from './forkedJob.ts';

/** The request that a load process repeats. */
export interface LoadJob {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  /** Expected status; any other status ends the run. */
  status: number;
  connections: number;
  seconds: number;
}

/** The result of one turn. */
export interface LoadResult {
  perSecond: number;
  /** Latency in milliseconds. */
  p99: number;
}

/** Sends load from another process. @throws Error if a response has an unexpected status. */
export function sendLoad(job: LoadJob): Promise<LoadResult> {
  return forkJob(import.meta.url, job);
}

async function load(job: LoadJob): Promise<LoadResult> {
  const { url, method, headers, body, status, connections, seconds } = job;
  const result = await autocannon({
    url,
    method,
    headers,
    ...(body !== undefined && { body }),
    connections,
    duration: seconds,
  });
  const counts = new Map(Object.entries(result.statusCodeStats ?? {}));
  const expected = counts.get(String(status))?.count ?? 0;
  counts.delete(String(status));
  if (result.errors > 0 || counts.size > 0) {
    throw new Error(
      `${url}: ${result.errors} errors, status ${[...counts.keys()].join(', ')}`,
    );
  }
  return {
    perSecond: expected / result.duration,
    p99: result.latency.p99,
  };
}

doJob(load);
