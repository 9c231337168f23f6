import { Client, type Dispatcher } from 'undici';

/** What to send, again and again. */
export interface Load {
  /** `http://host:port`. */
  origin: string;
  request: Dispatcher.RequestOptions;
  /** The status expected of every answer. */
  status: number;
  connections: number;
  warmUpMs: number;
  measureMs: number;
}

/** What came of it. */
export interface LoadResult {
  /** Good answers, those while warming up included. */
  acknowledged: number;
  /** Good answers a second, after warming up. */
  perSecond: number;
  /** The time from each request to its good answer, in milliseconds. */
  latencies: number[];
}

/**
 * Each connection asks again as soon as it was answered.
 *
 * @throws Error when any request is not answered as it should be.
 */
export async function sendLoad(load: Load): Promise<LoadResult> {
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
