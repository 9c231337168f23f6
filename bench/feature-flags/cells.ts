import { type Row } from '../runBench.ts';
import type { RunningServer } from '../startServer.ts';
import { type LoadJob, type LoadResult, sendLoad } from '../httpLoad.ts';
import { TOKENS } from './servers.ts';

/**
 * Rounds alternate between the servers, so that other load on the machine slows all of
 * them.
 */
const ROUNDS = 3;
const CONNECTIONS = 32;
/** V8 optimises the code of a service during its first seconds under load. */
const WARM_UP_SECONDS = 4;
/** Headers that Node.js adds automatically. */
const AUTOMATIC = new Set(['connection', 'date', 'keep-alive']);

/** The servers to compare; `theirs` is Unleash, which is only measured on request. */
export interface Servers {
  bare: RunningServer;
  ours: RunningServer;
  theirs?: RunningServer;
}

/** A measured kind of request. */
interface Cell {
  what: string;
  /** Target share of the baseline's throughput; null for no target. */
  share: number | null;
  method: 'GET' | 'POST';
  path: string;
  /** Route of the baseline server. */
  bare: string;
  status: number;
  headers: (url: string) => Promise<Record<string, string>>;
  body?: string;
}

const FEATURES = '/api/client/features';
const SDK = {
  authorization: TOKENS.client,
  'unleash-client-spec': '5.2.0',
};

async function etagOf(url: string): Promise<string> {
  const response = await fetch(`${url}${FEATURES}`, { headers: SDK });
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}

/** Returns the cells of `GET /api/client/features` for a number of flags. */
export function featureCells(
  flags: number,
  shares: { ok: number; unchanged: number | null },
): Cell[] {
  const shared = { method: 'GET', path: FEATURES } as const;
  const size = `${flags.toLocaleString('en')} flags`;
  return [
    {
      ...shared,
      what: `GET ${size}, 200`,
      share: shares.ok,
      bare: '/plain',
      status: 200,
      headers: async () => SDK,
    },
    {
      ...shared,
      what: `GET ${size}, 304`,
      share: shares.unchanged,
      bare: '/unchanged',
      status: 304,
      headers: async url => ({ ...SDK, 'if-none-match': await etagOf(url) }),
    },
  ];
}

/**
 * Returns the cells of usage reports, compared with a baseline that stores each report durably and
 * with one that only parses it.
 */
export function metricsCells(): Cell[] {
  const now = new Date().toISOString();
  const toggles = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [
      `flag-0000${index}`,
      { yes: 3, no: 1, variants: {} },
    ]),
  );
  const shared = {
    method: 'POST',
    path: '/api/client/metrics',
    status: 202,
    headers: async () => ({ ...SDK, 'content-type': 'application/json' }),
    body: JSON.stringify({
      appName: 'bench',
      instanceId: 'bench-1',
      bucket: { start: now, stop: now, toggles },
    }),
  } as const;
  return [
    {
      ...shared,
      what: 'POST metrics, bare: one commit each',
      share: 0.5,
      bare: '/durable',
    },
    {
      ...shared,
      what: 'POST metrics, bare: parsed, not stored',
      share: null,
      bare: '/parsed',
    },
  ];
}

/** Makes the bare server send the same bytes as the service. */
async function teach(
  cell: Cell,
  { bare, ours }: Pick<Servers, 'bare' | 'ours'>,
): Promise<void> {
  const response = await fetch(`${ours.url}${cell.path}`, {
    headers: {
      'accept-encoding': 'identity',
      ...(await cell.headers(ours.url)),
    },
  });
  const headers = [...response.headers].filter(
    ([name]) => !AUTOMATIC.has(name),
  );
  await fetch(`${bare.url}/answers`, {
    method: 'PUT',
    body: JSON.stringify({
      path: cell.bare,
      status: response.status,
      headers: Object.fromEntries(headers),
      body: await response.text(),
    }),
  });
}

/** Measures one cell on all servers, in turns. */
export async function measureCell(
  cell: Cell,
  servers: Servers,
  seconds: number,
): Promise<Row> {
  const { what, share: goal, method, status, body } = cell;
  const places = [
    { name: 'bare', url: servers.bare.url, path: cell.bare },
    { name: 'ours', url: servers.ours.url, path: cell.path },
    ...(servers.theirs
      ? [{ name: 'theirs', url: servers.theirs.url, path: cell.path }]
      : []),
  ];
  if (method === 'GET') {
    await teach(cell, servers);
  }
  const results = new Map<string, LoadResult[]>();
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, url, path } of places) {
      const job: LoadJob = {
        url: `${url}${path}`,
        method,
        headers: await cell.headers(url),
        ...(body !== undefined && { body }),
        status,
        connections: CONNECTIONS,
        seconds: round === 0 ? WARM_UP_SECONDS : seconds / ROUNDS,
      };
      const result = await sendLoad(job);
      if (round > 0) {
        results.set(name, [...(results.get(name) ?? []), result]);
      }
    }
  }
  const shares = results
    .get('ours')!
    .map(
      ({ perSecond }, round) =>
        perSecond / results.get('bare')![round].perSecond,
    );
  const share = shares.toSorted((one, other) => one - other)[
    Math.floor(shares.length / 2)
  ];
  const theirs = results.get('theirs');
  return {
    what,
    target: goal === null ? '-' : `≥ ${goal * 100} % of bare`,
    measured: `${Math.round(share * 100)} % of bare, ${describe(results.get('ours')!)}`,
    beside: [
      `bare ${describe(results.get('bare')!)}`,
      ...(theirs ? [`Unleash ${describe(theirs)}`] : []),
    ].join('; '),
    met: goal === null ? null : share >= goal,
  };
}

function describe(results: readonly LoadResult[]): string {
  const mean =
    results.reduce((sum, { perSecond }) => sum + perSecond, 0) / results.length;
  const p99 = Math.max(...results.map(result => result.p99));
  return `${Math.round(mean).toLocaleString('en')}/s, p99 ${p99} ms`;
}
