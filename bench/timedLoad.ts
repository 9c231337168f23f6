import { Client, type Dispatcher } from 'undici';
import { doJob, forkJob } from './forkedJob.ts';

/** The request to repeat. */
export interface TimedLoad {
  /** `http://host:port`. */
  origin: string;
  request: Dispatcher.RequestOptions;
  /** Bodies of the requests, used in turn; default: the body of `request`. */
  bodies?: readonly string[];
  /** Expected status of every response; default: any 2xx. */
  status?: number;
  connections: number;
  warmUpMs: number;
  measureMs: number;
}

/** The result of the load. */
export interface TimedResult {
  /** Number of expected responses, including the warm-up. */
  acknowledged: number;
  /** Expected responses per second, after the warm-up. */
  perSecond: number;
  /** Latencies of expected responses, in milliseconds. */
  latencies: number[];
}

/**
 * Sends requests from another process over several connections; each connection sends its next request
 * after the previous response.
 *
 * @throws Error if any response has an unexpected status.
 */
export function sendTimedLoad(load: TimedLoad): Promise<TimedResult> {
  return forkJob(import.meta.url, load);
}

async function send(load: TimedLoad): Promise<TimedResult> {
  const { request, bodies, status } = load;
  const counted = performance.now() + load.warmUpMs;
  const end = counted + load.measureMs;
  const latencies: number[] = [];
  let sent = 0;
  let acknowledged = 0;
  const next = () => {
    sent += 1;
    return bodies
      ? { ...request, body: bodies[sent % bodies.length] }
      : request;
  };
  const isExpected = (code: number) =>
    status === undefined ? code >= 200 && code <= 299 : code === status;
  const connection = async () => {
    const client = new Client(load.origin, { pipelining: 1 });
    for (let begun = performance.now(); begun < end;) {
      const { statusCode, body } = await client.request(next());
      const text = await body.text();
      if (!isExpected(statusCode)) {
        throw new Error(`${request.path} was answered ${statusCode}: ${text}`);
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
