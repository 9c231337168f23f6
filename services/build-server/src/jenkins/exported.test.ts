import { testDatabaseClients } from '@slipway/service-kit/testing';
import type { BuildClient } from '../__testUtils__/BuildClient.ts';
import { type Contract, openContract } from '../__testUtils__/openContract.ts';

describe.each(testDatabaseClients())('what is read on %s', databaseClient => {
  let contract: Contract;
  let dev: BuildClient;
  let build: string;

  beforeAll(async () => {
    contract = await openContract(databaseClient);
    ({ dev } = contract);
    const pushed = await dev.json(
      '/generic-webhook-trigger/invoke?token=test-webhook-token',
      { commits: [{ id: 'abc', message: 'Fix\n\nIt.', author: null }] },
    );
    const item = new URL(pushed.body.jobs.hello.url).pathname;
    build = await dev.started(item);
    await dev.ended(build);
    await dev.build('hello');
  });

  afterAll(() => contract.close());

  it('contains the fields of the tree', async () => {
    const answer = await dev.get(
      `${build}api/json?tree=number,changeSet[items[msg]]`,
    );
    expect(answer.headers.get('content-type')).toBe(
      'application/json; charset=utf-8',
    );
    expect(answer.body).toEqual({
      _class: 'hudson.model.FreeStyleBuild',
      number: 1,
      changeSet: {
        _class: 'hudson.plugins.git.GitChangeSetList',
        items: [{ _class: 'hudson.plugins.git.GitChangeSet', msg: 'Fix' }],
      },
    });
    const last = await dev.get('/job/hello/api/json?tree=builds[number]{0,1}');
    expect(last.body.builds).toEqual([
      { _class: 'hudson.model.FreeStyleBuild', number: 2 },
    ]);
    const item = await dev.get(
      '/queue/item/1/api/json?tree=executable[number]',
    );
    expect(item.body).toEqual({
      _class: 'hudson.model.Queue$LeftItem',
      executable: { _class: 'hudson.model.FreeStyleBuild', number: 1 },
    });
  });

  it.each([
    'jobs[name,lastBuild[changeSet[kind]]]',
    'jobs[name,lastSuccessfulBuild[changeSet[kind]]]',
  ])('reaches through all jobs by the tree %s', async tree => {
    const { body } = await dev.get(`/api/json?tree=${tree}`);
    const hello = body.jobs.find(
      ({ name }: { name: string }) => name === 'hello',
    );
    expect(hello).toMatchObject({
      name: 'hello',
      [/last\w+/.exec(tree)![0]]: { changeSet: { kind: 'git' } },
    });
    expect(Object.keys(hello)).toHaveLength(3);
  });

  it('400 for a tree that is none, before a job is looked for', async () => {
    for (const path of ['/api/json', '/job/none/api/json']) {
      const answer = await dev.get(`${path}?tree=a[`);
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: 'tree is invalid at character 3' },
      ]);
    }
    expect((await dev.get('/api/json?depth=deep')).status).toBe(400);
    const missing = await dev.get('/job/none/api/json?tree=name');
    expect([missing.status, missing.body]).toEqual([
      404,
      { message: 'Job none not found' },
    ]);
    // An empty tree selects everything.
    expect((await dev.get('/job/hello/api/json?tree=')).body.name).toBe(
      'hello',
    );
  });

  it('contains full jobs and builds by depth', async () => {
    const one = async (path: string) => (await dev.get(path)).body;
    const shallow = await one('/job/hello/api/json');
    expect(shallow.builds[0]).not.toHaveProperty('changeSet');
    const deep = await one('/job/hello/api/json?depth=1');
    expect(deep.builds[1].changeSet.items).toHaveLength(1);
    expect((await one('/api/json')).jobs[0]).not.toHaveProperty('builds');
    expect((await one('/api/json?depth=1')).jobs[1].builds[0].number).toBe(2);
    const { jobs } = await one('/api/json?depth=2');
    expect(jobs[1].builds[1].changeSet.items).toHaveLength(1);
  });

  it('is indented with pretty', async () => {
    const path = '/crumbIssuer/api/json?tree=crumb';
    expect((await dev.get(`${path}&pretty=true`)).text).toMatch(/^\{\n {2}"/);
    expect((await dev.get(`${path}&pretty`)).text).toMatch(/^\{\n {2}"/);
    expect((await dev.get(`${path}&pretty=false`)).text).not.toContain('\n');
  });

  it.each([
    ['/', 'jobs'],
    ['/job/hello', 'nextBuildNumber'],
    ['/job/hello/', 'nextBuildNumber'],
    ['/job/hello/1', 'changeSet'],
    ['/job/hello/1/', 'changeSet'],
    ['/job/hello/lastBuild/', 'changeSet'],
    ['/job/hello/lastBuild/api/json/', 'changeSet'],
    ['/queue/item/1', 'inQueueSince'],
  ])('is JSON at the bare %s, too', async (path, field) => {
    const answer = await dev.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-jenkins')).toBeTruthy();
    expect(answer.body).toHaveProperty(field);
  });

  it.each(['/job/hello/foo/', '/queue/item/none', '/queue/item/99999999999'])(
    'is not there at %s',
    async path => {
      expect((await dev.get(path)).status).toBe(404);
    },
  );
});
