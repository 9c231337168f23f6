import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parts } from '@slipway/fuzz/src/platform/parts.ts';
import type { Platform } from '@slipway/fuzz/src/platform/Platform.ts';
import type { HostileRequest } from '@slipway/fuzz/src/http/Connection.ts';
import type { Header } from '@slipway/fuzz/src/requests/headers.ts';

/** A request that once blocked a part, or the most expensive one known. */
export interface Attack {
  part: string;
  what: string;
  request: HostileRequest;
}

const HOST: Header = ['Host', 'localhost'];
const JSON_TYPE: Header = ['Content-Type', 'application/json'];
const PACKED: Header = ['Content-Encoding', 'gzip'];

const zeros = (count: number) => `[0${',0'.repeat(count - 1)}]`;

/**
 * Returns all attacks, in the order of the parts.
 *
 * @param options.ada - token of an admin.
 */
export function describeAttacks(options: {
  platform: Platform;
  ada: string;
}): Attack[] {
  const { platform, ada } = options;
  return [...onPortal(platform, ada), ...onServices(ada), ...onEveryPart()];
}

function onPortal({ addresses, directory }: Platform, ada: string): Attack[] {
  const user: Header = ['Authorization', `Bearer ${ada}`];
  const files = path.join(directory, 'forge', 'files');
  // A name with many slashes. Building an error message from it once took quadratic
  // time.
  writeFileSync(
    path.join(files, 'slashes.yaml'),
    `apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: "${'/s'.repeat(
      100_000,
    )}"\n`,
  );
  return [
    post(
      'ide-launcher',
      'previews of a devfile',
      '/api/ide-launcher/devfile/preview',
      {
        headers: [user],
        body: JSON.stringify({ devfileUrl: `${addresses.forge}/devfile.yaml` }),
      },
    ),
    get(
      'ide-launcher',
      'long paths',
      `/api/ide-launcher/workspaces/${'a'.repeat(14_000)}`,
    ),
    post(
      'delivery-lake',
      'wrong signatures, 1 MB',
      '/api/delivery-lake/webhooks/github',
      {
        headers: [
          ['X-GitHub-Event', 'push'],
          ['X-Hub-Signature-256', `sha256=${'0'.repeat(64)}`],
        ],
        body: JSON.stringify({ commits: 'c'.repeat(1_000_000) }),
      },
    ),
    get(
      'delivery-lake',
      'deployments of all time',
      '/api/delivery-lake/dora-series?startDate=2010-01-01&interval=month',
      [user],
    ),
    post('catalog', 'a descriptor named /s/s/s…', '/api/catalog/locations', {
      headers: [user],
      body: JSON.stringify({
        type: 'url',
        target: `${addresses.forge}/slashes.yaml`,
      }),
    }),
    get('catalog', 'all entities', '/api/catalog/entities', [user]),
  ];
}

function onServices(ada: string): Attack[] {
  const user: Header = ['Authorization', `Bearer ${ada}`];
  const developer: Header = [
    'Authorization',
    `Basic ${Buffer.from('dev:dev-api-token').toString('base64')}`,
  ];
  return [
    post('analytics', '9.4 million zeros in 18 KB, no key', '/batch', {
      headers: [PACKED],
      body: gzipSync(zeros(4_700_000)),
    }),
    post('analytics', '2 million zeros in 8 KB, a key', '/batch', {
      headers: [PACKED],
      body: gzipSync(
        `{"api_key":"phc_dev_project_key","batch":${zeros(2_000_000)}}`,
      ),
    }),
    post(
      'build-server',
      'payloads of 1 MB, a wrong token',
      '/generic-webhook-trigger/invoke?token=wrong',
      {
        body: JSON.stringify({
          commits: Array.from({ length: 20_000 }, () => ({
            id: 'c'.repeat(40),
          })),
        }),
      },
    ),
    get(
      'build-server',
      'a tree of 2,000 levels',
      `/api/json?tree=${'jobs['.repeat(2_000)}`,
      [developer],
    ),
    post('feature-flags', '1 million zeros, no token', '/api/client/metrics', {
      body: zeros(1_000_000),
    }),
    get('feature-flags', 'all flags', '/api/admin/features', [user]),
    post('feedback', '10 MB, no session', '/api/v1/feedback', {
      body: `{"rating":1,"message":${zeros(5_000_000)}}`,
    }),
    post(
      'feedback',
      '40,000 exclamation marks to the bot',
      '/api/v1/bot/messages',
      {
        headers: [['X-API-Key', 'dev-automation-key']],
        body: JSON.stringify({ text: '!'.repeat(40_000), user: { id: 'ada' } }),
      },
    ),
    post('space-metrics', 'wrong signatures, 1 MB', '/api/v1/webhooks/github', {
      headers: [
        ['X-GitHub-Event', 'push'],
        ['X-Hub-Signature-256', `sha256=${'0'.repeat(64)}`],
      ],
      body: JSON.stringify({ commits: 'c'.repeat(1_000_000) }),
    }),
    get(
      'space-metrics',
      'two years of all teams',
      '/api/v1/metrics/space?start_date=2024-11-22',
      [user],
    ),
  ];
}

/**
 * A header that routes that require a credential once parsed in quadratic time.
 */
function onEveryPart(): Attack[] {
  return parts
    .filter(({ name }) => name !== 'design-site')
    .map(({ name, ordinary }) =>
      get(
        name,
        '15,600 spaces in a credential',
        name === 'analytics' ? '/api/projects' : ordinary.path,
        [['Authorization', `x y${' '.repeat(15_600)}\tz`]],
      ),
    );
}

function get(
  part: string,
  what: string,
  target: string,
  headers: readonly Header[] = [],
): Attack {
  return {
    part,
    what,
    request: { method: 'GET', target, headers: [HOST, ...headers] },
  };
}

function post(
  part: string,
  what: string,
  target: string,
  {
    headers = [],
    body,
  }: { headers?: readonly Header[]; body: string | Buffer },
): Attack {
  return {
    part,
    what,
    request: {
      method: 'POST',
      target,
      headers: [HOST, JSON_TYPE, ...headers],
      body: Buffer.from(body),
    },
  };
}
