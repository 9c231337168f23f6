import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { component, GIT, startCatalog } from '../__testUtils__/startCatalog';

const shop = `${GIT}/shop.yaml`;

type Catalog = Awaited<ReturnType<typeof startCatalog>>;

describe('POST /locations refuses', () => {
  let catalog: Catalog;

  beforeAll(async () => {
    catalog = await startCatalog({});
  });

  it.each([
    ['no name', component(undefined), 'metadata.name is required'],
    [
      'no metadata',
      'apiVersion: backstage.io/v1alpha1\nkind: Component\n',
      'metadata.name is required',
    ],
    ['an empty name', component('""'), 'metadata.name must NOT have fewer'],
    ['a number for a name', component('5'), 'metadata.name must be string'],
    ['a name that is none', component('a b'), '"metadata.name" is not valid'],
    [
      'no owner',
      component('shop').replace(', owner: payments', ''),
      'component:default/shop: spec.owner is required',
    ],
    ['another format', '<html></html>', 'The descriptor is not an entity'],
    ['broken YAML', 'a: [1,\n b: }', 'YAML error'],
    ['nothing in it', '', 'The descriptor is empty'],
    [
      'a key that is none',
      component('shop').replace('payments}', 'payments, __proto__: {a: 1}}'),
      "component:default/shop: '__proto__' must not be a key",
    ],
    [
      'a kind that is not allowed',
      component('shop').replace('Component', 'User'),
      'is not of an allowed kind',
    ],
  ])('a descriptor with %s', async (_, text, message) => {
    catalog.reader.set(shop, text);
    const answer = await catalog.register({ type: 'url', target: shop });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining(message) });
    expect(answer.body.error).not.toMatch(/Processor|TypeError|<root>/);
  });

  it.each([
    [`${GIT}/nothing.yaml`, 'The descriptor cannot be read: could not read'],
    ['https://elsewhere.example.org/x.yaml', 'is not allowed'],
  ])('%s, which cannot be read', async (target, message) => {
    const answer = await catalog.register({ type: 'url', target });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(message);
  });

  it.each([
    [{}, 'type is required; target is required'],
    [{ type: 'url' }, 'target is required'],
    [{ type: 'tape', target: shop }, 'type: must be url or file'],
    [{ type: 'url', target: 'shop' }, 'target: must be an http or https'],
    [{ type: 'url', target: 'file:///etc/passwd' }, 'must be an http or https'],
    [{ type: 'url', target: 5 }, 'target: '],
    [
      { type: 'url', target: 'https://ada:secret@git.example.org/shop.yaml' },
      'target: must not contain a user name or password',
    ],
    [
      { type: 'url', target: `${GIT}/*/blob/main/shop.yaml` },
      'target: must name one file, not a pattern',
    ],
    [
      { type: 'url', target: `${GIT}/%2A/shop.yaml` },
      'target: must name one file, not a pattern',
    ],
    [{ type: 'file', target: '/etc/passwd' }, 'type: file is not allowed here'],
    [[], 'The request body must be a JSON object'],
    ['null', 'The request body must be a JSON object'],
    ['1', 'The request body must be a JSON object'],
  ])('%j', async (body, message) => {
    const answer = await catalog.register(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining(message) });
  });
});

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

  it('finds the entity without a name behind a location that leads to it', async () => {
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

  it('refuses what is no JSON, and what is too large', async () => {
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

  it('refuses a location twice, at the same time too', async () => {
    const { register } = await startCatalog({
      descriptors: { [shop]: component('shop') },
    });
    const body = { type: 'url', target: shop };
    const answers = await Promise.all([1, 2, 3].map(() => register(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const again = await register(body);
    expect(again.status).toBe(409);
    expect(again.body).toEqual({ error: `${shop} is registered already` });
  });

  it('refuses an entity that another location has brought', async () => {
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
    expect(tried.body.error.message).toContain('is registered already');
    const copy = await register(body);
    expect(copy.status).toBe(409);
    expect(copy.body).toEqual({
      error: `component:default/shop is registered already, from url:${shop}`,
    });
  });

  it('refuses an entity that another location is about to bring', async () => {
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
    const reason = `component:default/shop is registered already, from url:${first.target}`;
    expect(reasons).toEqual([reason, reason]);
    const [other] = targets.filter(target => target !== first.target);
    const late = await register({ type: 'url', target: other });
    expect(late.status).toBe(409);
    // Before the catalog has read it or after: what is gone claims nothing.
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

  it('knows the other methods of the path', async () => {
    const { api } = await startCatalog({});
    const list = await api.get('/api/catalog/locations');
    expect(list.body).toEqual([]);
    const refused = await api.patch('/api/catalog/locations');
    expect(refused.status).toBe(405);
    expect(refused.headers.allow).toBe('GET, POST');
    expect(refused.body).toEqual({ error: expect.any(String) });
  });
});

describe('PUT /locations/:id', () => {
  const copy = `${GIT}/copy.yaml`;
  const till = `${GIT}/till.yaml`;

  async function startWithShop() {
    const catalog = await startCatalog({
      descriptors: {
        [shop]: component('shop'),
        [copy]: component('shop'),
        [till]: component('till'),
        [`${GIT}/nameless.yaml`]: component(undefined),
      },
    });
    const { body } = await catalog.register({ type: 'url', target: shop });
    const change = (target: string, id: string = body.locationId) =>
      catalog.api
        .put(`/api/catalog/locations/${id}`)
        .send({ type: 'url', target });
    return { ...catalog, id: body.locationId as string, change };
  }

  it('reads and checks the new descriptor as a registration does', async () => {
    const { api, register, id, change } = await startWithShop();
    expect((await change(`${GIT}/nothing.yaml`)).status).toBe(400);
    expect((await change(`${GIT}/nameless.yaml`)).status).toBe(400);
    expect((await change('https://elsewhere.example.org/x')).status).toBe(400);
    expect((await change(till, 'no-such-location')).status).toBe(404);
    await register({ type: 'url', target: till });
    expect((await change(till)).status).toBe(409);
    const { body } = await api.get(`/api/catalog/locations/${id}`);
    expect(body.target).toBe(shop);

    // The same entity from where it has moved to.
    expect((await change(copy)).status).toBe(200);
    expect((await change(copy)).status).toBe(200);
    const moved = await api.get(`/api/catalog/locations/${id}`);
    expect(moved.body.target).toBe(copy);
  });

  it('knows the other methods of the path, and the query beside it', async () => {
    const { api, id } = await startWithShop();
    const refused = await api.patch(`/api/catalog/locations/${id}`);
    expect(refused.status).toBe(405);
    expect(refused.headers.allow).toBe('GET, PUT, DELETE');
    const found = await api.post('/api/catalog/locations/by-query').send({});
    expect(found.status).toBe(200);
    expect(found.body.items).toMatchObject([{ target: shop }]);
  });
});

describe('locations of type file', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'descriptors-'));
    writeFileSync(path.join(folder, 'shop.yaml'), component('shop'));
    symlinkSync('/etc/hostname', path.join(folder, 'link.yaml'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it.each(['shop.yaml', './shop.yaml', '<folder>/shop.yaml'])(
    'takes %s from a configured folder',
    async given => {
      const target = given.replace('<folder>', folder);
      const { register } = await startCatalog({
        config: { folders: [folder] },
      });
      const answer = await register({ type: 'file', target });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({
        type: 'file',
        target,
        location: { target: path.join(folder, 'shop.yaml') },
      });
    },
  );

  it.each([
    ['/etc/hostname', 'is outside the folders'],
    ['../../etc/hostname', 'is outside the folders'],
    ['<folder>/../x.yaml', 'is outside the folders'],
    ['link.yaml', 'is outside the folders'],
    ['nothing.yaml', 'there is no file nothing.yaml'],
    ['<folder>', 'is outside the folders'],
    ['*.yaml', 'must name one file'],
  ])('refuses %s', async (given, message) => {
    const { register, api } = await startCatalog({
      config: { folders: [folder] },
    });
    const body = { type: 'file', target: given.replace('<folder>', folder) };
    const answer = await register(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(message);
    expect((await register(body, '?dryRun=true')).status).toBe(400);
    expect((await api.put('/api/catalog/locations/x').send(body)).status).toBe(
      400,
    );
  });

  it('are named in answers as they were sent', async () => {
    writeFileSync(path.join(folder, 'copy.yaml'), component('shop'));
    writeFileSync(path.join(folder, 'broken.yaml'), 'a: [1,\n b: }');
    const { register } = await startCatalog({ config: { folders: [folder] } });
    await register({ type: 'file', target: 'shop.yaml' });
    for (const [target, status] of [
      ['shop.yaml', 409],
      ['copy.yaml', 409],
      ['broken.yaml', 400],
    ] as const) {
      const answer = await register({ type: 'file', target });
      expect(answer.status).toBe(status);
      expect(answer.body.error).toMatch(/\w+\.yaml/);
      expect(answer.body.error).not.toContain(folder);
    }
  });

  it('are not reached through a location from the web', async () => {
    const { register } = await startCatalog({
      config: { folders: [folder] },
      descriptors: {
        [shop]: `apiVersion: backstage.io/v1alpha1
kind: Location
metadata: { name: trap }
spec: { type: file, targets: [/etc/hostname] }
`,
      },
    });
    const answer = await register({ type: 'url', target: shop });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain('is outside the folders');
  });
});
