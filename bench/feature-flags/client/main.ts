import { Client } from 'undici';
import type { LoadJob, LoadResult } from './LoadJob.ts';

// Sends load in a process of its own, so that it shares no event loop with anybody.

async function run(job: LoadJob): Promise<LoadResult> {
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

process.once('message', (job: LoadJob) => {
  run(job).then(
    result => process.send?.(result, () => process.disconnect()),
    error => {
      console.error(error);
      process.exit(1);
    },
  );
});
