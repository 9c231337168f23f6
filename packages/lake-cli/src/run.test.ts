import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LakeStandIn } from './testing/LakeStandIn.ts';
import { runCli } from './testing/runCli.ts';

let lake: LakeStandIn;
let directory: string;

beforeEach(async () => {
  lake = await LakeStandIn.start();
  directory = await mkdtemp(path.join(tmpdir(), 'lake-cli-'));
});

afterEach(async () => {
  await lake.stop();
  await rm(directory, { recursive: true });
});

async function given(name: string, content: string): Promise<string> {
  const file = path.join(directory, name);
  await writeFile(file, content);
  return file;
}

function ndjson(items: object[]): string {
  return items.map(item => `${JSON.stringify(item)}\n`).join('');
}

function deployments(count: number, message = '') {
  return Array.from({ length: count }, (_, index) => ({
    id: `d-${index}`,
    service: 'shop',
    commit: { sha: 'c0ffee1', message },
  }));
}

function imports(file: string, ...more: string[]) {
  return runCli(['import', file, '--url', lake.url, ...more]);
}

describe('import', () => {
  it('sends each kind to its route, in batches of the allowed size', async () => {
    const file = await given(
      'history.ndjson',
      ndjson([
        { kind: 'change', repository: 'acme/shop', sha: 'c0ffee1' },
        ...deployments(1_500),
        { kind: 'incident', id: 'i-1', service: 'shop' },
      ]),
    );
    const result = await imports(file);
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(result.stdout).toContain('1502 accepted, 0 duplicates');
    expect(lake.taken.map(({ path: to, items }) => [to, items.length])).toEqual(
      [
        ['/deployments', 999],
        ['/changes', 1],
        ['/deployments', 501],
        ['/incidents', 1],
      ],
    );
    expect(lake.taken[1].items).toEqual([
      { repository: 'acme/shop', sha: 'c0ffee1' },
    ]);
    expect(await readdir(directory)).toEqual(['history.ndjson']);
  });

  it('keeps requests below one mebibyte', async () => {
    const file = await given(
      'long.ndjson',
      ndjson(deployments(300, 'x'.repeat(9_000))),
    );
    expect((await imports(file)).stdout).toContain('300 accepted');
    expect(lake.taken.length).toBe(3);
  });

  it('reports rejected lines with the reason and with its exit code', async () => {
    const file = await given(
      'bad.ndjson',
      `${ndjson(deployments(1))}not json\n\n{"id":"lost"}\n{"kind":"rumour"}\n`,
    );
    const result = await imports(file);
    expect(result.exitCode).toBe(3);
    expect(result.stdout).toContain('1 accepted');
    expect(result.stdout).toContain('3 rejected');
    const rejected = await readFile(`${file}.rejected.ndjson`, 'utf8');
    expect(
      rejected
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual([
      { line: 2, error: 'The line is not JSON', item: 'not json' },
      {
        line: 4,
        error: 'service is required',
        field: 'service',
        item: { id: 'lost' },
      },
      {
        line: 5,
        error: 'kind must be one of deployment, change, incident',
        field: 'kind',
        item: { kind: 'rumour' },
      },
    ]);
  });

  it('reads CSV with dotted names, lists and quotes', async () => {
    const file = await given(
      'history.csv',
      '\uFEFFid,service,commit.sha,commit.message,changes,unplanned,rollbackOf,finishedAt\r\n' +
        'd-1,shop,c0ffee1,"Says ""hello"", twice",c0ffee1 c0ffee2,true,,2026-01-01T00:00:00Z\r\n' +
        'd-2,shop,,,,,d-1,\r\n',
    );
    expect((await imports(file)).exitCode).toBe(0);
    expect(lake.taken[0].items).toEqual([
      {
        id: 'd-1',
        service: 'shop',
        commit: { sha: 'c0ffee1', message: 'Says "hello", twice' },
        changes: ['c0ffee1', 'c0ffee2'],
        unplanned: true,
        finishedAt: '2026-01-01T00:00:00Z',
      },
      { id: 'd-2', service: 'shop', rollbackOf: 'd-1' },
    ]);
  });

  it('uses the given kind for items without one', async () => {
    const file = await given('incidents.csv', 'id,service\ni-1,shop\n');
    await imports(file, '--kind', 'incident');
    expect(lake.taken.map(({ path: to }) => to)).toEqual(['/incidents']);
  });

  it('retries when the lake is busy, after the requested time', async () => {
    lake.troubles.push(
      {
        status: 429,
        body: { error: 'slow down' },
        headers: { 'retry-after': '0' },
      },
      {
        status: 503,
        body: { error: 'starting' },
        headers: { 'retry-after': '0' },
      },
    );
    const file = await given('history.ndjson', ndjson(deployments(2)));
    const result = await imports(file);
    expect(result.exitCode).toBe(0);
    expect(result.stderr).toContain('answered 429: slow down; trying again');
    expect(lake.taken).toHaveLength(1);
  });

  it('resumes where it was interrupted', async () => {
    const file = await given(
      'history.ndjson',
      `oops\n${ndjson(deployments(1_400))}`,
    );
    lake.troubles.push(
      ...Array.from({ length: 6 }, () => ({
        status: 500,
        body: { error: 'broken' },
        headers: { 'retry-after': '0' },
      })),
    );
    const broken = await imports(file);
    expect(broken.exitCode).toBe(1);
    expect(broken.stderr).toContain('answered 500: broken');

    // The second batch of the next run fails; the first is acknowledged.
    lake.troubles.length = 0;
    const original = lake.taken.push.bind(lake.taken);
    lake.taken.push = request => {
      lake.troubles.push({ status: 400, body: { error: 'enough' } });
      return original(request);
    };
    expect((await imports(file)).exitCode).toBe(1);
    lake.taken.push = original;
    lake.troubles.length = 0;

    const resumed = await imports(file);
    expect(resumed.stderr).toContain('Resuming after line 1000');
    expect(resumed.stdout).toContain('1400 accepted, 0 duplicates');
    expect(resumed.stdout).toContain('1 rejected');
    expect(lake.taken.map(({ items }) => items.length)).toEqual([999, 401]);
    expect(await readdir(directory)).not.toContain(
      'history.ndjson.lake-progress',
    );
  });

  it('starts over if the file has changed', async () => {
    const file = await given('history.ndjson', ndjson(deployments(2)));
    await writeFile(
      `${file}.lake-progress`,
      JSON.stringify({ identity: 'another', state: { line: 2 } }),
    );
    expect((await imports(file)).stdout).toContain('2 accepted');
  });

  it.each([
    [
      'a token that is unknown',
      ['--token', 'wrong'],
      1,
      'does not know this token',
    ],
    ['a kind that is none', ['--kind', 'rumour'], 2, 'not one of deployment'],
    ['an option that is none', ['--speed', '9'], 2, "Unknown option '--speed'"],
  ])('explains %s', async (_, more, exitCode, text) => {
    const file = await given('history.ndjson', ndjson(deployments(1)));
    const result = await imports(file, ...more);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(text);
  });

  it('explains a missing file, an unknown format and a missing token', async () => {
    expect((await imports(path.join(directory, 'none.csv'))).stderr).toMatch(
      /File .*none\.csv not found/,
    );
    const spreadsheet = await given('history.xlsx', 'x');
    expect((await imports(spreadsheet)).stderr).toContain(
      'must end in .ndjson',
    );
    const file = await given('history.ndjson', ndjson(deployments(1)));
    const elsewhere = await runCli([
      'import',
      file,
      '--url',
      'https://portal.example.org',
    ]);
    expect(elsewhere).toMatchObject({ exitCode: 2 });
    expect(elsewhere.stderr).toContain('needs a service token');
  });
});

describe('jobs', () => {
  it('waits for the end of the job', async () => {
    lake.jobStates = [
      { id: 'job-1', status: 'running', done: 3, total: 9 },
      { id: 'job-1', status: 'done', done: 9, total: 9 },
    ];
    const result = await runCli(['rebuild', '--url', lake.url]);
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result.stdout).toBe('The rebuild is done: 9\n');
  });

  it('deletes the names of a person', async () => {
    lake.jobStates = [{ id: 'job-1', status: 'done', done: 9, total: 9 }];
    const names = ['Ada Lovelace', 'ada@example.org', 'ada'];
    const args = ['forget', ...names, '--yes', '--url', lake.url];
    const result = await runCli(args);
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result.stdout).toBe('The deletion is done: 9\n');
    expect(lake.started).toEqual([
      { path: '/people/deletions', body: { names } },
    ]);
    const nobody = await runCli(['forget', '--url', lake.url]);
    expect(nobody).toMatchObject({ exitCode: 2 });
  });

  it('shows what a deletion would empty, and only deletes after a yes', async () => {
    lake.previews = [
      {
        ...{ position: 1, read: 5, total: 9, deliveries: 3, named: 1 },
        fields: [
          { login: 'main', field: 'ref', deliveries: 2 },
          { login: 'main', field: '', deliveries: 1 },
        ],
      },
      {
        ...{ position: null, read: 4, total: 9, deliveries: 2, named: 0 },
        fields: [{ login: 'main', field: 'ref', deliveries: 2 }],
      },
    ];
    lake.jobStates = [{ id: 'job-1', status: 'done', done: 9, total: 9 }];
    const args = ['forget', 'Ada Lovelace', 'main', '--url', lake.url];
    for (const answer of ['', 'no\n', 'yesterday\n']) {
      const kept = await runCli(args, {}, answer);
      expect(kept).toMatchObject({ exitCode: 1 });
      expect(kept.stdout).toContain('Nothing was deleted');
    }
    expect(lake.started).toEqual([]);
    const result = await runCli(args, {}, 'y\n');
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result.stdout).toContain('5 of 9 deliveries would lose their body');
    expect(result.stdout).toContain('1 with a full name');
    expect(result.stdout).toContain(
      '4 with main as the whole text of the field ref\n  1 with main as the whole text of the body',
    );
    expect(lake.started).toMatchObject([{ path: '/people/deletions' }]);
  });

  it('shows keys of deliveries without control characters', async () => {
    const field = '\u001b]0;owned\u0007\u001b[2J\u202eref';
    lake.previews = [
      {
        ...{ position: null, read: 1, total: 1, deliveries: 1, named: 0 },
        fields: [{ login: 'main', field, deliveries: 1 }],
      },
    ];
    const { stdout } = await runCli(['forget', 'main', '--url', lake.url]);
    expect(stdout).toContain('ref');
    expect(stdout).not.toMatch(/[^\P{C}\n]/u);
  });

  it.each([
    { read: '5' },
    { position: 0 },
    { position: undefined },
    { fields: [{ login: 'main' }] },
  ])('deletes nothing after a response with %j', async wrong => {
    const counts = { read: 1, total: 1, deliveries: 1, named: 0 };
    lake.previews = [{ position: null, ...counts, fields: [], ...wrong }];
    const args = ['forget', 'main', '--url', lake.url];
    const result = await runCli(args, {}, 'y\n');
    expect(result).toMatchObject({ exitCode: 1 });
    expect(result.stderr).toContain('did not answer with counts');
    expect(lake.started).toEqual([]);
  });

  it('reports why the job failed', async () => {
    lake.jobStates = [
      { id: 'job-1', status: 'failed', done: 3, total: 9, error: 'disk full' },
    ];
    const result = await runCli(['replay', '--url', lake.url]);
    expect(result).toMatchObject({ exitCode: 1 });
    expect(result.stderr).toContain('The replay failed: disk full');
  });
});

describe('example', () => {
  it('writes an importable history, and overwrites nothing', async () => {
    const file = path.join(directory, 'demo.ndjson');
    const written = await runCli(['example', file]);
    expect(written.stdout).toContain('demo data');
    const result = await imports(file);
    expect(result).toMatchObject({ exitCode: 0 });
    expect((await runCli(['example', file])).stderr).toContain('already');
  });
});

describe('help', () => {
  it('is printed on request, and referred to after a usage error', async () => {
    const help = await runCli(['--help']);
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    expect(help.stdout).toContain('yarn lake import');
    const confused = await runCli(['dance']);
    expect(confused).toMatchObject({ exitCode: 2 });
    expect(confused.stderr).toContain('--help');
  });
});
