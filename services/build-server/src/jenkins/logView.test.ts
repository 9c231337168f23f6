import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import { BuildLogs } from '../logs/BuildLogs.ts';

describe('the log of a build by its steps', () => {
  let server: TestServer;
  let client: BuildClient;

  beforeAll(async () => {
    server = await startBuildServer({
      jobs: [
        {
          name: 'sequence',
          steps: [
            {
              name: 'Test',
              run: 'seq 1 450; echo "==> Test"',
            },
            {
              name: 'Lint',
              run: 'echo ::group::Rules; printf "\\033[31mre\\033[0mdd\\n"; echo ::endgroup::; echo last; exit 3',
            },
          ],
        },
        {
          name: 'beside',
          steps: [
            { name: 'One', run: 'echo a; sleep 0.05; echo b' },
            { name: 'Other', run: 'echo c', needs: [] },
          ],
        },
      ],
    });
    client = new BuildClient(server.url);
    await client.build('sequence');
    await client.build('beside');
  });

  afterAll(() => server.stop());

  const read = async (job: string, section: number, query: string) => {
    const url = `/job/${job}/1/log/lines?section=${section}&${query}`;
    const { body } = await client.get(url);
    return body.lines.map(({ text }: { text: string }) => text);
  };

  it('counts the lines of each step, and returns foldable groups', async () => {
    const { body } = await client.get('/job/sequence/1/log/outline');
    expect(body).toMatchObject({
      more: false,
      sections: [
        { step: null, lines: 1 },
        { step: 0, lines: expect.any(Number), groups: [] },
        { step: 1, groups: [{ title: 'Rules', from: 0, to: 2 }] },
      ],
    });
  });

  it('reads any of them, with the time of each', async () => {
    expect(await read('sequence', 1, 'from=399&count=3')).toEqual([
      '400',
      '401',
      '402',
    ]);
    expect(await read('sequence', 1, 'from=9999&count=3')).toEqual([]);
    expect(await read('sequence', 77, 'from=0')).toEqual([]);
    const { body } = await client.get(
      '/job/sequence/1/log/lines?section=1&from=0&count=1',
    );
    expect(body.lines[0].at).toBeGreaterThan(Date.now() - 60_000);
  });

  it('separates the lines of parallel steps', async () => {
    const { body } = await client.get('/job/beside/1/log/outline');
    const of = (step: number) =>
      body.sections.findIndex((one: { step: number }) => one.step === step);
    const one = await read('beside', of(0), 'from=0');
    expect(one.slice(0, 2)).toEqual(['a', 'b']);
    expect(await read('beside', of(1), 'from=0')).toContain('c');
  });

  it('finds coloured text', async () => {
    const { body } = await client.get('/job/sequence/1/log/search?text=REDD');
    expect(body).toEqual({ matches: [{ section: 2, line: 1 }], more: false });
  });

  it.each([
    ['/job/none/1/log/outline', 404],
    ['/job/sequence/9/log/outline', 404],
    ['/job/sequence/1/log/lines?section=0', 400],
    ['/job/sequence/1/log/lines?section=0&from=0&count=1001', 400],
    ['/job/sequence/1/log/search', 400],
  ])('answers %s with %i', async (url, status) => {
    expect((await client.get(url)).status).toBe(status);
  });

  it('cannot be read without a credential', async () => {
    const anyone = new BuildClient(server.url, null);
    const answer = await anyone.get('/job/sequence/1/log/outline');
    expect(answer.status).toBe(401);
  });
});

it('indexes a growing log correctly, wherever its chunks are split', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'logs-'));
  const logs = new BuildLogs({ directory, maxBytes: 10_000_000 });
  const log = await logs.append(1);
  const steps = [{ name: 'A' }, { name: 'B', needs: [0] }];
  const look = (isEnded: boolean) =>
    logs.index(1, async () => ({ steps, isEnded }));
  await log.write('cause\n==> A\none\ntw');
  const index = await look(false);
  expect(index.sections()).toMatchObject([
    { step: null, lines: 1 },
    { step: 0, lines: 1 },
  ]);
  await log.write(`o\n${'x'.repeat(150_000)}\n==> B\n==> A\nend`);
  await log.close();
  expect(await look(true)).toBe(index);
  expect(index.sections()).toMatchObject([
    { lines: 1 },
    // A line that is too long is three.
    { step: 0, lines: 5 },
    { step: 1, lines: 2 },
  ]);
  expect(await index.lines(1, { from: 1, count: 1 })).toMatchObject([
    { text: 'two' },
  ]);
  expect(await index.lines(2, { from: 0, count: 10 })).toMatchObject([
    { text: '==> A' },
    { text: 'end' },
  ]);
  await logs.remove(1);
  expect((await look(true)).sections()).toEqual([]);
  await rm(directory, { recursive: true });
});
