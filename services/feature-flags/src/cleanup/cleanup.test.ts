import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { testDatabaseClients } from '@slipway/service-kit/testing';
import { portalSuite } from '../__testUtils__/portalSuite.ts';
import {
  limitReferences,
  readCheckout,
  scanCode,
  webAddressOf,
} from '../cli/scanCode.ts';

const DAY = 24 * 60;
const API_KEY = 'key-of-feedback';

/** The feedback service's route for issues, with failures that the test sets. */
class IssueServer {
  readonly opened: Record<string, string>[] = [];
  failures: number[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    const failure = this.failures.shift();
    const isOurs =
      request.url === '/api/v1/issues' &&
      request.headers['x-api-key'] === API_KEY;
    if (failure !== undefined || !isOurs) {
      response.writeHead(failure ?? 401).end('{}');
      return;
    }
    this.opened.push(JSON.parse(await text(request)));
    const number = this.opened.length;
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ number, url: `http://issues/${number}`, title: '' }),
    );
  });

  async start(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
  }
}

const tracker = new IssueServer();
const feedback = { url: '', apiKey: API_KEY };
beforeAll(async () => {
  await tracker.start();
  feedback.url = tracker.url;
});
afterAll(() => tracker.stop());
beforeEach(() => {
  tracker.opened.length = 0;
});

describe.each(testDatabaseClients())('cleaning up on %s', client => {
  const suite = portalSuite(client, { config: () => ({ feedback }) });
  const { ada, bob } = suite;
  const features = '/projects/default/features';
  const create = (name: string, type = 'release') =>
    ada('POST', features, { name, type });
  const turnOn = (name: string, environment: string) =>
    ada('POST', `${features}/${name}/environments/${environment}/on`, {});
  /** Uses an admin token, because sessions end when the clock moves by weeks. */
  const list = async (query = '') => {
    const { body } = await suite.calls.admin('GET', `/clean-up${query}`);
    return Object.fromEntries(
      body.features.map((each: { name: string; reasons: string[] }) => [
        each.name,
        each.reasons,
      ]),
    ) as Record<string, string[]>;
  };

  it('lists flags with the reasons to remove them, and none in use', async () => {
    for (const name of ['on', 'off', 'partly', 'used', 'marked']) {
      await create(name);
    }
    await create('switch', 'kill-switch');
    for (const environment of ['development', 'production']) {
      await turnOn('on', environment);
    }
    await turnOn('partly', 'production');
    await ada('PATCH', '/features/marked', { stale: true });
    expect(await list()).toEqual({ marked: ['stale'] });

    suite.pass(31 * DAY);
    const used = await suite.calls.report('used', {
      yes: 1,
      no: 2,
      at: new Date(suite.timeIn(0)),
    });
    expect(used.status).toBe(202);
    expect(await list()).toEqual({
      marked: ['stale', 'unused', 'off-everywhere'],
      on: ['unused', 'on-everywhere'],
      off: ['unused', 'off-everywhere'],
      partly: ['unused'],
      used: ['off-everywhere'],
      // Kill switches normally stay in one state for a long time.
      switch: ['unused'],
    });
    expect(await list('?unusedDays=60&settledDays=60')).toEqual({
      marked: ['stale'],
    });
    suite.pass(10 * DAY);
    expect((await list('?unusedDays=60&settledDays=60')).partly).toEqual([
      'overdue',
    ]);
    expect(await list('?project=elsewhere')).toEqual({});

    const { body } = await suite.calls.admin('GET', '/clean-up');
    expect(
      body.features.find(({ name }: { name: string }) => name === 'used'),
    ).toMatchObject({
      project: 'default',
      lastUsedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      environments: [
        {
          name: 'development',
          enabled: false,
          lastUsedAt: expect.any(String),
        },
        { name: 'production', enabled: false, lastUsedAt: null },
      ],
      references: null,
    });
    await suite.calls.admin('DELETE', '/features/marked');
    expect(await list()).not.toHaveProperty('marked');
  });

  it('calls a flag unused only after its usage has been observed for long enough', async () => {
    await create('restored');
    const imported = await suite.calls.admin('POST', '/state/import', {
      features: [{ name: 'old', createdAt: '2022-03-17T20:18:55.643Z' }],
    });
    expect(imported.status).toBe(200);
    expect(await list()).toEqual({ old: ['overdue'] });

    suite.pass(20 * DAY);
    await suite.calls.admin('DELETE', '/features/restored');
    suite.pass(20 * DAY);
    await suite.calls.admin('POST', '/archive/revive/restored');
    const reasons = await list();
    expect(reasons.old).toContain('unused');
    expect(reasons.restored).not.toContain('unused');
    suite.pass(31 * DAY);
    expect((await list()).restored).toContain('unused');
  });

  it('stores where code names flags, by repository and commit', async () => {
    await create('checkout');
    const send = (repository: string, commit: string, lines: number[]) =>
      ada('PUT', '/code-references', {
        repository,
        commit,
        references: [
          { flag: 'gone', path: 'a.ts', line: 1 },
          ...lines.map(line => ({
            flag: 'checkout',
            path: 'src/a b.ts',
            line,
            text: "isEnabled('checkout')",
          })),
        ],
      });
    const hub = 'https://github.com/shop/web.git';
    await send(hub, 'old', [1, 2, 3]);
    expect((await send(hub, 'abc', [7])).body).toEqual({
      stored: 1,
      unknown: ['gone'],
    });
    await send('https://gitlab.example/shop/api', 'def', [9]);
    const path = '/features/checkout/code-references';
    const { body } = await bob('GET', path);
    expect(body.references).toEqual([
      {
        repository: hub,
        commit: 'abc',
        path: 'src/a b.ts',
        line: 7,
        text: "isEnabled('checkout')",
        url: 'https://github.com/shop/web/blob/abc/src/a%20b.ts#L7',
        scannedAt: expect.any(String),
      },
      expect.objectContaining({
        url: 'https://gitlab.example/shop/api/-/blob/def/src/a%20b.ts#L9',
      }),
    ]);
    await ada('PATCH', '/features/checkout', { stale: true });
    const cleanUp = await ada('GET', '/clean-up');
    expect(cleanUp.body.features[0]).toMatchObject({ references: 2 });
  });

  it('opens an issue whose marker is valid for a flag of any name', async () => {
    const name = 'grüße-🚀'.repeat(10);
    await create(name);
    const { status } = await ada(
      'POST',
      `/features/${encodeURIComponent(name)}/issue`,
    );
    expect(status).toBe(201);
    expect(tracker.opened[0].marker).toMatch(
      /^slipway-flag: sha256:[0-9a-f]{64}$/,
    );
  });

  it('opens one issue for the owner of a flag', async () => {
    await create('checkout');
    await ada('PATCH', '/features/checkout', { stale: true });
    const open = () => ada('POST', '/features/checkout/issue');
    tracker.failures = [503, 500];
    expect(await open()).toMatchObject({
      status: 503,
      body: { message: 'The feedback service responded with 500' },
    });
    tracker.failures = [502];
    expect(await open()).toMatchObject({
      status: 201,
      body: { number: 1, url: 'http://issues/1' },
    });
    expect(tracker.opened).toEqual([
      {
        marker: 'slipway-flag: checkout',
        title: 'Remove the feature flag checkout',
        body: expect.stringContaining('Requested by: `user:default/ada`'),
      },
    ]);
    expect(await open()).toMatchObject({ status: 409 });
    const { body } = await bob('GET', '/clean-up');
    expect(body).toMatchObject({
      canOpenIssues: true,
      features: [{ issue: { number: 1, url: 'http://issues/1' } }],
    });
  });

  it('rejects invalid, missing and forbidden values', async () => {
    await create('checkout');
    const scan = { repository: 'https://forge/x', commit: 'a', references: [] };
    for (const [body, message] of [
      [{ ...scan, repository: 'ftp://forge/x' }, /^repository must be/],
      [{ ...scan, repository: 'https://a:b@forge/x' }, /^repository must be/],
      [{ ...scan, commit: '' }, /^commit /],
      [
        { ...scan, references: [{ flag: 'x', path: 'a', line: 0 }] },
        /^references\.0\.line /,
      ],
    ] as const) {
      const { status, body: answer } = await ada(
        'PUT',
        '/code-references',
        body,
      );
      expect([status, answer.message]).toEqual([
        400,
        expect.stringMatching(message),
      ]);
    }
    expect((await ada('GET', '/clean-up?unusedDays=0')).status).toBe(400);
    const issue = '/features/checkout/issue';
    expect((await bob('PUT', '/code-references', scan)).status).toBe(403);
    expect((await bob('POST', issue)).status).toBe(403);
    const missing = '/features/nothing';
    expect((await ada('POST', `${missing}/issue`)).status).toBe(404);
    expect((await ada('GET', `${missing}/code-references`)).status).toBe(404);
    for (const [method, url] of [
      ['GET', '/clean-up'],
      ['PUT', '/code-references'],
      ['POST', issue],
      ['GET', '/features/checkout/code-references'],
    ] as const) {
      const { status } = await suite.calls.send(method, `/api/admin${url}`);
      expect(status).toBe(401);
    }
  });
});

describe('the scan of a checkout', () => {
  it('finds flags in quotes in tracked files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'flags-scan-'));
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
    try {
      git('init', '-q');
      git('remote', 'add', 'origin', 'git@forge.example:shop/web.git');
      await writeFile(
        join(folder, 'a.ts'),
        "checkout();\n  on('checkout') && on(`shop.banner`, 'checkout');\n",
      );
      await writeFile(join(folder, 'b.ts'), 'on("größe-🎁")');
      await writeFile(join(folder, 'image.png'), "\0'checkout'");
      git('add', '.');
      await writeFile(join(folder, 'untracked.ts'), "'checkout'");
      git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'a');
      const line = {
        path: 'a.ts',
        line: 2,
        text: "on('checkout') && on(`shop.banner`, 'checkout');",
      };
      await expect(
        scanCode(folder, new Set(['checkout', 'shop.banner', 'größe-🎁'])),
      ).resolves.toEqual([
        { flag: 'checkout', ...line },
        { flag: 'shop.banner', ...line },
        { flag: 'größe-🎁', path: 'b.ts', line: 1, text: 'on("größe-🎁")' },
      ]);
      await expect(readCheckout(folder)).resolves.toEqual({
        commit: git('rev-parse', 'HEAD').trim(),
        repository: 'https://forge.example/shop/web',
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('keeps the first 100 lines of each flag and counts the others', () => {
    const lines = (flag: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ flag, path: 'a.ts', text: '' },
        line: index + 1,
      }));
    const few = lines('few', 100);
    const many = lines('many', 101);
    expect(limitReferences([...many, ...few])).toEqual({
      kept: [...many.slice(0, 100), ...few],
      exceeding: new Map([['many', 101]]),
    });
  });

  it.each([
    [
      'ssh://git@forge.example:22/shop/web.git',
      'https://forge.example/shop/web',
    ],
    [
      'https://ada:secret@forge.example/shop/web',
      'https://forge.example/shop/web',
    ],
    ['/srv/git/web.git', undefined],
  ])('reads the remote %s as %s', (remote, address) => {
    expect(webAddressOf(remote)).toBe(address);
  });
});
