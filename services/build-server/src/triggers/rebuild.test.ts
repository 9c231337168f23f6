import { readFile, writeFile } from 'node:fs/promises';
import { testDatabaseClients } from '@slipway/service-kit/testing';
import { Bench } from '../__testUtils__/Bench.ts';
import type { BuildClient } from '../__testUtils__/BuildClient.ts';
import { type Contract, openContract } from '../__testUtils__/openContract.ts';

describe.each(testDatabaseClients())('a rebuild on %s', databaseClient => {
  let contract: Contract;
  let dev: BuildClient;

  beforeAll(async () => {
    contract = await openContract(databaseClient);
    ({ dev } = contract);
  });

  afterAll(() => contract.close());

  it.each(['rebuild', 'replay/rebuild', 'rebuild/'])(
    'by %s is of the same with the same',
    async verb => {
      const first = await dev.build('hello-parameters', { BRANCH: 'fix' });
      const answer = await dev.post(
        `/job/hello-parameters/${first.number}/${verb}`,
      );
      expect(answer.status).toBe(201);
      const item = new URL(answer.headers.get('location')!).pathname;
      const again = await dev.ended(await dev.started(item));
      expect(again).toMatchObject({
        number: first.number + 1,
        cause: `Rebuild of #${first.number} by token:dev`,
        parameters: { BRANCH: 'fix', ENVIRONMENT: 'dev' },
        result: 'SUCCESS',
      });
    },
  );

  it('is of the commit and the changes that were pushed', async () => {
    const pushed = await dev.json(
      '/generic-webhook-trigger/invoke?token=test-webhook-token',
      {
        ref: 'refs/heads/main',
        after: 'a'.repeat(40),
        commits: [{ id: 'a'.repeat(40), message: 'Fix', author: {} }],
      },
    );
    const { url, buildNumber } = pushed.body.jobs.hello;
    await dev.ended(await dev.started(new URL(url).pathname));
    const answer = await dev.post(`/job/hello/${buildNumber}/rebuild`);
    const item = new URL(answer.headers.get('location')!).pathname;
    const again = await dev.ended(await dev.started(item));
    expect(again).toMatchObject({
      ref: 'refs/heads/main',
      revision: 'a'.repeat(40),
      changeSet: { items: [{ msg: 'Fix' }] },
    });
    // Pages compare the commits of builds in a list.
    expect((await dev.get('/job/hello/api/json')).body.builds[0]).toMatchObject(
      { number: again.number, revision: 'a'.repeat(40) },
    );
  });

  it('accepts new parameters, and keeps the others', async () => {
    const first = await dev.build('hello-parameters', { BRANCH: 'fix' });
    const path = `/job/hello-parameters/${first.number}/rebuild`;
    const parameter = [{ name: 'ENVIRONMENT', value: 'prod' }];
    const { headers } = await dev.json(path, { parameter });
    const item = new URL(headers.get('location')!).pathname;
    expect(await dev.ended(await dev.started(item))).toMatchObject({
      parameters: { BRANCH: 'fix', ENVIRONMENT: 'prod' },
    });
    const edited = await dev.json(`${path}?only=failed`, { parameter });
    expect(edited.status).toBe(409);
    const twice = [...parameter, ...parameter];
    expect((await dev.json(path, { parameter: twice })).status).toBe(400);
    expect((await dev.post(`${path}?only=some`)).status).toBe(400);
    expect((await dev.post(`${path}?only=failed`)).status).toBe(409);
  });

  it('needs the permission, and a build', async () => {
    const { nobody, viewer } = contract;
    const path = '/job/hello/1/rebuild';
    expect((await nobody.post(path)).status).toBe(401);
    expect((await viewer.post(path)).status).toBe(403);
    expect((await dev.post('/job/hello/999/rebuild')).status).toBe(404);
    expect((await dev.post('/job/none/1/rebuild')).status).toBe(404);
    expect((await dev.get(path)).status).toBe(405);
  });
});

describe('a rebuild of failed steps', () => {
  let bench: Bench;

  beforeEach(async () => {
    bench = await Bench.open();
  });

  afterEach(() => bench.close());

  it('runs the failed steps with their dependencies, and reuses the rest', async () => {
    const { scratch } = bench;
    const client = await bench.start([
      {
        name: 'job',
        junit: ['lint.xml'],
        steps: [
          { name: 'Install', run: 'echo ok > installed' },
          {
            name: 'Lint',
            run: `echo "<testsuite/>" > lint.xml; echo ran >> ${scratch}/lint`,
            needs: [],
          },
          {
            name: 'Test',
            run: `cat installed; test -e ${scratch}/fixed`,
            needs: ['Install'],
          },
          { name: 'Package', run: 'echo packaged', needs: ['Test'] },
          {
            name: 'Tag',
            run: 'echo tagged',
            if: "branch == 'main'",
            needs: [],
          },
        ],
      },
    ]);
    expect(await client.build('job')).toMatchObject({ result: 'FAILURE' });
    await writeFile(`${scratch}/fixed`, '');
    const { headers } = await client.post('/job/job/1/rebuild?only=failed');
    const item = new URL(headers.get('location')!).pathname;
    expect(await client.ended(await client.started(item))).toMatchObject({
      number: 2,
      rerunOf: 1,
      result: 'SUCCESS',
      cause: 'Failed steps of #1 by token:dev',
      steps: [
        { name: 'Install', state: 'done', message: null },
        { name: 'Lint', state: 'done', message: 'Passed in build #1' },
        { name: 'Test', state: 'done' },
        { name: 'Package', state: 'done' },
        { name: 'Tag', state: 'done', message: 'Passed in build #1' },
      ],
    });
    expect(await readFile(`${scratch}/lint`, 'utf8')).toBe('ran\n');
    const none = await client.post('/job/job/2/rebuild?only=failed');
    expect([none.status, none.body.message]).toEqual([
      409,
      'No step of job #2 failed',
    ]);
  });
});
