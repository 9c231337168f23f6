import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { component, GIT, startCatalog } from '../__testUtils__/startCatalog';

const DESCRIPTOR = [component('shop'), component('till')].join('---\n');

async function startWithEntities() {
  const catalog = await startCatalog({
    descriptors: { [`${GIT}/all.yaml`]: DESCRIPTOR },
  });
  await catalog.register({ type: 'url', target: `${GIT}/all.yaml` });
  const ask = (query: string) =>
    catalog.api.get(`/api/catalog/entities${query}`);
  await vi.waitFor(
    async () => {
      const { body } = await ask('?filter=kind=component');
      expect(body).toHaveLength(2);
    },
    { timeout: 20_000, interval: 200 },
  );
  return ask;
}

describe('GET /entities', () => {
  it('filters, selects fields, and ignores unknown parameters', async () => {
    const ask = await startWithEntities();
    const both = await ask('?filter=kind=component,metadata.name=shop');
    expect(both.status).toBe(200);
    expect(both.body).toEqual([
      expect.objectContaining({
        apiVersion: 'backstage.io/v1alpha1',
        kind: 'Component',
        spec: { type: 'service', lifecycle: 'production', owner: 'payments' },
      }),
    ]);
    const fields = await ask(
      '?filter=kind=component&fields=metadata.name,kind',
    );
    expect(fields.body).toEqual(
      expect.arrayContaining([
        { kind: 'Component', metadata: { name: 'shop' } },
        { kind: 'Component', metadata: { name: 'till' } },
      ]),
    );
    expect((await ask('?filter=kind=none')).body).toEqual([]);
    const unknown = await ask('?filter=kind=component&colour=blue');
    expect(unknown.status).toBe(200);
    expect(unknown.body).toHaveLength(2);
    expect(unknown.headers['x-ratelimit-limit']).toBe('100');
  });

  it.each([
    ['?fields[a][b]=1', 'fields: must be text'],
    ['?filter[a]=1', 'filter: must be text'],
    ['?limit[]=1&limit[][a]=2', 'limit: must be text'],
    [
      `?fields=${'a.'.repeat(4_000)}a`,
      'fields: must name fields of at most 256 characters',
    ],
    [
      `?filter=${'a=1,'.repeat(2_000)}b=1`,
      'filter: must have at most 300 conditions',
    ],
  ])('names the parameter that is wrong (%#)', async (query, message) => {
    const { api } = await startCatalog({});
    const answer = await api.get(`/api/catalog/entities${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining(message) });
  });

  it.each(['?filter==x', '?limit=abc', '?limit=0', '?offset=-1', '?after=zzz'])(
    "refuses %s in the contract's format",
    async query => {
      const { api } = await startCatalog({});
      const answer = await api.get(`/api/catalog/entities${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ error: expect.any(String) });
      expect(answer.headers['x-ratelimit-remaining']).toBe('99');
    },
  );

  it('does not reveal parse errors of unexpected bodies', async () => {
    const { api } = await startCatalog({});
    const answer = await api
      .get('/api/catalog/entities')
      .type('json')
      .send('9.07');
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: 'The request body is not valid JSON',
    });
  });

  it('is empty for callers who may not read anything', async () => {
    const { api } = await startCatalog({
      authorize: { result: AuthorizeResult.DENY },
    });
    const answer = await api.get('/api/catalog/entities');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([]);
  });

  it('rejects other methods and unknown paths', async () => {
    const { api } = await startCatalog({});
    const refused = await api.delete('/api/catalog/entities');
    expect(refused.status).toBe(405);
    expect(refused.headers.allow).toBe('GET');
    const unknown = await api.get('/api/catalog/nothing');
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({ error: 'No such resource: /nothing' });
  });
});
