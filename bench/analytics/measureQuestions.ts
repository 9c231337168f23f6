import { duration, percentile, type Row } from '../runBench.ts';
import type { RunningServer } from '../startServer.ts';
import { API_TOKEN, PROJECT_KEY } from './servers.ts';

const BATCH = 5_000;
/** Target for events per second in batches, on a quiet machine with 2 cores. */
const BATCHED_TARGET = 65_000;
const USERS = 20_000;
const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const ASKED = 3;
const SECONDS_TARGET = 1;

const QUESTIONS: Readonly<Record<string, object>> = {
  'Count by event': { select: ['event', 'count()'], after: 'all' },
  'People by day': {
    select: ['toDate(timestamp)', 'count(distinct distinct_id)'],
    after: 'all',
  },
  'Sum of a property, one event': {
    select: ['properties.plan', 'sum(properties.price)'],
    event: 'bought',
    after: 'all',
  },
  'Newest 100 of a day': { select: ['*'], after: '-1d' },
};

/** Measurements of one engine. */
export interface Answered {
  /** Events per second; each batch is on disk when it is acknowledged. */
  ingest: number;
  /** Milliseconds until the first query result, while the engine starts and imports the journal. */
  firstMs: number;
  /** Median time of each query, in milliseconds. */
  questions: Record<string, number>;
}

/**
 * Sends events in batches, one after another; resolves to the number ingested per second. Serializes
 * the batches beforehand, because senders usually run on other machines and do not compete with the
 * service for processor time.
 */
export async function sendEvents(
  service: RunningServer,
  events: number,
): Promise<number> {
  const now = Date.now();
  const bodies: string[] = [];
  for (let first = 0; first < events; first += BATCH) {
    const count = Math.min(BATCH, events - first);
    const batch = Array.from({ length: count }, (_, at) =>
      eventOf(first + at, now),
    );
    bodies.push(JSON.stringify({ api_key: PROJECT_KEY, batch }));
  }
  const begun = performance.now();
  for (const body of bodies) {
    await post(service, '/api/batch', body);
  }
  return (events * 1_000) / (performance.now() - begun);
}

/**
 * Runs the first query, whose result must include every event; resolves to its duration
 * in milliseconds.
 */
export async function askFirst(
  service: RunningServer,
  events: number,
): Promise<number> {
  const first = await ask(service, QUESTIONS['Count by event']);
  const counted = first.results.reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
  if (counted !== events) {
    throw new Error(`${events} acknowledged, ${counted} found`);
  }
  return first.ms;
}

/** Sends events in batches, then queries all of them. */
export async function measureQuestions(
  service: RunningServer,
  events: number,
): Promise<Answered> {
  const ingest = await sendEvents(service, events);
  const firstMs = await askFirst(service, events);
  const questions: Record<string, number> = {};
  for (const [what, question] of Object.entries(QUESTIONS)) {
    const took: number[] = [];
    for (let asked = 0; asked < ASKED; asked += 1) {
      // Varies the limit, so that the result is not cached.
      const limit = 100 + asked;
      took.push((await ask(service, { ...question, limit })).ms);
    }
    questions[what] = percentile(took, 50);
  }
  return { ingest, firstMs, questions };
}

/** Returns the rows that compare both engines. */
export function rowsOf(
  events: number,
  { chdb, sqlite }: { chdb?: Answered; sqlite: Answered },
): Row[] {
  const size = events.toLocaleString('en');
  const rate = (value: number) =>
    `${Math.round(value).toLocaleString('en')} events/s`;
  const own = chdb ?? sqlite;
  const engine = chdb ? 'chDB' : 'SQLite';
  return [
    {
      what: `Batches of ${BATCH}, each on disk when acknowledged`,
      target: chdb ? `≥ ${BATCHED_TARGET.toLocaleString('en')} events/s` : '—',
      measured: rate(own.ingest),
      beside: `the same with SQLite alone: ${rate(sqlite.ingest)}`,
      met: chdb ? chdb.ingest >= BATCHED_TARGET : null,
    },
    {
      what: `First question over ${size} events, engine started, ${engine}`,
      target: '—',
      measured: duration(own.firstMs),
      beside: `SQLite: ${duration(sqlite.firstMs)}`,
      met: null,
    },
    ...Object.entries(own.questions).map(([what, ms]) => ({
      what: `${what}, ${size} events, ${engine}`,
      target: chdb ? `${SECONDS_TARGET} s` : '—',
      measured: duration(ms),
      beside: `SQLite: ${duration(sqlite.questions[what])}`,
      met: chdb ? ms <= SECONDS_TARGET * 1_000 : null,
    })),
  ];
}

function eventOf(number: number, now: number): object {
  const names = ['opened', 'searched', 'bought', 'closed'];
  return {
    event: names[number % names.length],
    distinct_id: `user-${(number * 7_919) % USERS}`,
    timestamp: new Date(
      now - ((number * 104_729) % (DAYS * DAY_MS)),
    ).toISOString(),
    properties: {
      plan: ['free', 'team', 'pro'][number % 3],
      price: (number % 400) / 4,
      $pathname: `/page/${number % 50}`,
      $lib: 'bench',
    },
  };
}

async function ask(
  service: RunningServer,
  query: object,
): Promise<{ results: unknown[][]; ms: number }> {
  const begun = performance.now();
  const answer = await post(
    service,
    '/api/query',
    JSON.stringify({ query: { kind: 'EventsQuery', ...query } }),
    { authorization: `Bearer ${API_TOKEN}` },
  );
  const { results } = answer as { results: unknown[][] };
  return { results, ms: performance.now() - begun };
}

async function post(
  { url }: RunningServer,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${path} was answered ${response.status}: ${text}`);
  }
  return JSON.parse(text);
}
