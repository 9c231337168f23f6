import { Client, type Dispatcher } from 'undici';
import { doJob, forkJob } from '../forkedJob.ts';
import { userName } from './Organisation.ts';

/** The work of a load process. */
export interface LoadJob {
  /** `http://host:port`. */
  origin: string;
  path: string;
  headers: Record<string, string>;
  /** Connections; each sends its next request after the previous response. */
  connections: number;
  warmUpMs: number;
  measureMs: number;
  /** People and teams whose pulse surveys to send. Default: sends reads. */
  submissions?: { people: number; teams: number };
}

/** The result of a load process. */
export interface LoadResult {
  /** Number of 2xx responses, including the warm-up. */
  acknowledged: number;
  /** 2xx responses per second, after the warm-up. */
  perSecond: number;
  /** Latencies of 2xx responses after the warm-up, in milliseconds. */
  latencies: number[];
}

/** Sends load from another process. @throws Error if any response is not 2xx. */
export function sendLoad(job: LoadJob): Promise<LoadResult> {
  return forkJob(import.meta.url, job);
}

/** Returns the survey with a given number: people submit in turn. */
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

async function load(job: LoadJob): Promise<LoadResult> {
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

doJob(load);
