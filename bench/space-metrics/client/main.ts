import { Client, type Dispatcher } from 'undici';
import { userName } from '../Organisation.ts';
import type { LoadJob, LoadResult } from './LoadJob.ts';

// Sends load in a process of its own, so that it shares no event loop with anybody.

/** The survey with a number: people answer in turn. */
function surveyOf(
  { people, teams }: { people: number; teams: number },
  number: number,
): string {
  const person = ((number * 7919) % people) + 1;
  return JSON.stringify({
    user_id: userName(person),
    team: `team-${(person % teams) + 1}`,
    responses: {
      overall_satisfaction: (number % 5) + 1,
      productivity_this_week: (number % 4) + 1,
      recommend: number % 11,
      blockers: 'slow builds',
      wins: 'shipped the login',
    },
  });
}

async function run(job: LoadJob): Promise<LoadResult> {
  const { origin, path, headers, connections, submissions } = job;
  const counted = performance.now() + job.warmUpMs;
  const end = counted + job.measureMs;
  const latencies: number[] = [];
  let sent = 0;
  let acknowledged = 0;

  const request = (): Dispatcher.RequestOptions => {
    sent += 1;
    return submissions
      ? { method: 'POST', path, headers, body: surveyOf(submissions, sent) }
      : { method: 'GET', path, headers };
  };
  const connection = async () => {
    const client = new Client(origin, { pipelining: 1 });
    for (let begun = performance.now(); begun < end;) {
      const { statusCode, body } = await client.request(request());
      const text = await body.text();
      if (statusCode < 200 || statusCode > 299) {
        throw new Error(`${path} was answered ${statusCode}: ${text}`);
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
  await Promise.all(Array.from({ length: connections }, connection));
  return {
    acknowledged,
    perSecond: (latencies.length * 1_000) / job.measureMs,
    latencies,
  };
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
