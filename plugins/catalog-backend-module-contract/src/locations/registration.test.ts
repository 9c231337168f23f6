import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { component, GIT, startCatalog } from '../__testUtils__/startCatalog';

const shop = `${GIT}/shop.yaml`;

describe('POST /locations', () => {
  it("answers the contract's fields and Backstage's own", async () => {
    const { api, register } = await startCatalog({
      descriptors: { [shop]: component('shop') },
    });
    const answer = await register({ type: 'url', target: shop, note: 'extra' });

    expect(answer.status).toBe(201);
    const { locationId, location, ...rest } = answer.body;
    expect(rest).toEqual({
      type: 'url',
      target: shop,
      status: 'processing',
      entities: [],
    });
    expect(location).toMatchObject({ id: locationId, type: 'url' });
    expect(answer.headers['x-ratelimit-remaining']).toBe('99');
    const stored = await api.get(`/api/catalog/locations/${locationId}`);
    expect(stored.body).toMatchObject({ id: locationId, target: shop });
  });

  it('finds the entity without a name behind an indirect location', async () => {
    const { register } = await startCatalog({
      descriptors: {
        [shop]: component(undefined),
        [`${GIT}/all.yaml`]: `apiVersion: backstage.io/v1alpha1
kind: Location
metadata: { name: all }
spec: { targets: ['${shop}'] }
`,
      },
    });
    const answer = await register({ type: 'url', target: `${GIT}/all.yaml` });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('metadata.name is required');
  });

  it('rejects invalid JSON and large bodies', async () => {
    const { api, register } = await startCatalog({});
    const path_ = '/api/catalog/locations';
    const form = await api.post(path_).type('form').send('type=url');
    expect(form.status).toBe(400);
    expect(form.body).toEqual({
      error: 'Content-Type must be application/json',
    });
    const broken = await api.post(path_).type('json').send('{"type"');
    expect(broken.status).toBe(400);
    expect(broken.body.error).toBe('The request body is not valid JSON');
    const large = await register({ target: 'x'.repeat(1_048_576) });
    expect(large.status).toBe(413);
    expect(large.headers['x-ratelimit-limit']).toBe('100');
  });

  it('rejects a duplicate location, also concurrently', async () => {
    const { register } = await startCatalog({
      descriptors: { [shop]: component('shop') },
    });
    const body = { type: 'url', target: shop };
    const answers = await Promise.all([1, 2, 3].map(() => register(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const again = await register(body);
    expect(again.status).toBe(409);
    expect(again.body).toEqual({ error: `${shop} is already registered` });
  });

  it('rejects an entity that another location provides', async () => {
    const { api, register } = await startCatalog({
      descriptors: {
        [shop]: component('shop'),
        [`${GIT}/copy.yaml`]: component('shop'),
      },
    });
    expect((await register({ type: 'url', target: shop })).status).toBe(201);
    await vi.waitFor(
      async () => {
        const known = await api.get(
          '/api/catalog/entities/by-name/component/default/shop',
        );
        expect(known.status).toBe(200);
      },
      { timeout: 20_000, interval: 200 },
    );
    const body = { type: 'url', target: `${GIT}/copy.yaml` };
    const tried = await register(body, '?dryRun=true');
    expect(tried.status).toBe(409);
    expect(tried.body.error.message).toContain('is already registered');
    const copy = await register(body);
    expect(copy.status).toBe(409);
    expect(copy.body).toEqual({
      error: `component:default/shop is already registered, from url:${shop}`,
    });
  });

  it('rejects an entity that another location is about to provide', async () => {
    const targets = [1, 2, 3].map(n => `${GIT}/${n}.yaml`);
    const { api, register } = await startCatalog({
      descriptors: Object.fromEntries(
        targets.map(target => [target, component('shop')]),
      ),
    });
    const answers = await Promise.all(
      targets.map(target => register({ type: 'url', target })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const first = answers.find(({ status }) => status === 201)?.body;
    const reasons = answers
      .filter(({ status }) => status === 409)
      .map(({ body }) => body.error);
    const reason = `component:default/shop is already registered, from url:${first.target}`;
    expect(reasons).toEqual([reason, reason]);
    const [other] = targets.filter(target => target !== first.target);
    const late = await register({ type: 'url', target: other });
    expect(late.status).toBe(409);
    // Both before and after the catalog has read it, a deleted location has no claims.
    const path_ = `/api/catalog/locations/${first.locationId}`;
    expect((await api.delete(path_)).status).toBe(204);
    await vi.waitFor(
      async () => {
        const again = await register({ type: 'url', target: other });
        expect(again.status).toBe(201);
      },
      { timeout: 20_000, interval: 200 },
    );
  });

  it('asks for permission before it reads anything', async () => {
    const { register } = await startCatalog({
      authorize: { result: AuthorizeResult.DENY },
    });
    const answer = await register({ type: 'tape' });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ error: expect.any(String) });
  });

  it('is tried out by the import page in the format of Backstage', async () => {
    const { register } = await startCatalog({
      descriptors: { [shop]: component('shop') },
    });
    const good = await register({ type: 'url', target: shop }, '?dryRun=true');
    expect(good.status).toBe(201);
    expect(good.body).toMatchObject({
      exists: false,
      location: { target: shop },
    });
    expect(good.body.entities).toHaveLength(2);
    expect(good.headers['x-ratelimit-limit']).toBeUndefined();

    const missing = { type: 'url', target: `${GIT}/nothing.yaml` };
    const bad = await register(missing, '?dryRun=true');
    expect(bad.status).toBe(400);
    expect(bad.body.error.message).toContain('The descriptor cannot be read');
  });

  it('passes on the other methods of the path', async () => {
    const { api } = await startCatalog({});
    const list = await api.get('/api/catalog/locations');
    expect(list.body).toEqual([]);
    const refused = await api.patch('/api/catalog/locations');
    expect(refused.status).toBe(405);
    expect(refused.headers.allow).toBe('GET, POST');
    expect(refused.body).toEqual({ error: expect.any(String) });
  });
});
