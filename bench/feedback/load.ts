import { Client, type Dispatcher } from 'undici';
import { doJob, forkJob } from '../forkedJob.ts';

/** The request to repeat. */
export interface Load {
  /** `http://host:port`. */
  origin: string;
  request: Dispatcher.RequestOptions;
  /** Expected status of every response. */
  status: number;
  connections: number;
  warmUpMs: number;
  measureMs: number;
}

/** The result of the load. */
export interface LoadResult {
  /** Number of expected responses, including the warm-up. */
  acknowledged: number;
  /** Expected responses per second, after the warm-up. */
  perSecond: number;
  /** Latencies of expected responses, in milliseconds. */
  latencies: number[];
}

/**
 * Sends requests from another process, on several connections, each after the previous response.
 *
 * @throws Error if any response has another status.
 */
export function sendLoad(load: Load): Promise<LoadResult> {
  return forkJob(import.meta.url, load);
}

async function send(load: Load): Promise<LoadResult> {
  const counted = performance.now() + load.warmUpMs;
  const end = counted + load.measureMs;
  const latencies: number[] = [];
  let acknowledged = 0;
  const connection = async () => {
    const client = new Client(load.origin, { pipelining: 1 });
    for (let begun = performance.now(); begun < end;) {
      const { statusCode, body } = await client.request(load.request);
      const text = await body.text();
      if (statusCode !== load.status) {
        throw new Error(
          `${load.request.path} was answered ${statusCode}: ${text}`,
        );
      }
      const now = performance.now();
      acknowledged += 1;
      if (begun >= counted && now <= end) {
        latencies.push(now - begun);
      }
      begun = now;
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: load.connections }, connection));
  return {
    acknowledged,
    perSecond: (latencies.length * 1_000) / load.measureMs,
    latencies,
  };
}

doJob(send);
