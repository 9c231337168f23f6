import { testDatabaseClients } from '@slipway/service-kit/testing';
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
