import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { startCatalog } from '../__testUtils__/startCatalog';

const TEAM = {
  kind: 'Group',
  metadata: { name: 'crew' },
  spec: { type: 'team', children: [] },
};
const PERSON = {
  kind: 'User',
  metadata: { name: 'mira' },
  spec: { memberOf: ['crew'] },
};
const URL = '/api/catalog/collections/demo';

const start = (authorize?: Parameters<typeof startCatalog>[0]['authorize']) =>
  startCatalog({ config: { collections: ['demo'] }, authorize });

async function namesIn(api: Awaited<ReturnType<typeof start>>['api']) {
  const answer = await api.get(
    '/api/catalog/entities?filter=metadata.namespace=demo',
  );
  return answer.body.map(
    ({ metadata }: { metadata: { name: string } }) => metadata.name,
  );
}

it('keeps the entities of a namespace as last sent', async () => {
  const { api } = await start();
  const put = (entities: object[]) => api.put(URL).send({ entities });

  expect((await put([TEAM, PERSON])).body).toEqual({ entities: 2 });
  await expect
    .poll(() => namesIn(api), { timeout: patient(20_000) })
    .toEqual(expect.arrayContaining(['crew', 'mira']));

  await put([TEAM]);
  await expect
    .poll(() => namesIn(api), { timeout: patient(20_000) })
    .toEqual(['crew']);

  expect((await api.delete(URL)).body).toEqual({ entities: 0 });
  await expect
    .poll(() => namesIn(api), { timeout: patient(20_000) })
    .toEqual([]);
});

it.each([
  [{}, 'entities is required'],
  [
    { entities: [{ ...TEAM, kind: 'Location' }] },
    'entities[0].kind: must be one of API, Component, Domain, Group, Resource, System, User',
  ],
  [
    { entities: [{ ...TEAM, metadata: {} }] },
    'entities[0].metadata.name is required',
  ],
  [
    { entities: [TEAM, TEAM] },
    'entities[1].metadata.name: is there twice for its kind',
  ],
])('answers 400 to %j', async (body, error) => {
  const { api } = await start();
  const answer = await api.put(URL).send(body);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error });
});

it('gives entities the namespace of the collection, whatever they say', async () => {
  const { api } = await start();
  const metadata = { ...TEAM.metadata, namespace: 'default' };
  await api.put(URL).send({ entities: [{ ...TEAM, metadata }] });
  await expect
    .poll(() => namesIn(api), { timeout: patient(20_000) })
    .toEqual(['crew']);
});

it('answers 404 for a namespace that the configuration does not name', async () => {
  const { api } = await start();
  const answer = await api
    .put('/api/catalog/collections/default')
    .send({ entities: [TEAM] });
  expect(answer.status).toBe(404);
});

it('answers 403 without the permission, and 405 to other methods', async () => {
  const { api } = await start({ result: AuthorizeResult.DENY });
  expect((await api.put(URL).send({})).status).toBe(403);
  expect((await api.post(URL).send({})).status).toBe(405);
});
