import {
  coreServices,
  createBackendModule,
} from '@backstage/backend-plugin-api';
import { Router } from 'express';
import { component, GIT, startCatalog } from '../__testUtils__/startCatalog';

const shop = `${GIT}/shop.yaml`;

/** A route that rejects replacing a location, as the catalog does if its database fails. */
const refusesReplacements = createBackendModule({
  pluginId: 'catalog',
  moduleId: 'refuses-replacements',
  register(env) {
    env.registerInit({
      deps: { httpRouter: coreServices.httpRouter },
      async init({ httpRouter }) {
        const router = Router();
        router.put('/locations/:id', (_req, res) => {
          res.status(503).json({ error: 'no database' });
        });
        httpRouter.use(router);
      },
    });
  },
});

describe('PUT /locations/:id', () => {
  const copy = `${GIT}/copy.yaml`;
  const till = `${GIT}/till.yaml`;

  async function startWithShop(
    options: Parameters<typeof startCatalog>[0] = {},
  ) {
    const catalog = await startCatalog({
      ...options,
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

  it('keeps the entities of the location if the catalog rejects the new target', async () => {
    const { change, register } = await startWithShop({
      processing: false,
      between: refusesReplacements,
    });
    for (const target of [till, shop]) {
      expect((await change(target)).status).toBe(503);
      const other = await register({ type: 'url', target: copy });
      expect(other.status).toBe(409);
      expect(other.body.error).toContain(
        'component:default/shop is already registered',
      );
    }
    expect((await register({ type: 'url', target: till })).status).toBe(201);
  });

  it('passes on the other methods of the path, and the query', async () => {
    const { api, id } = await startWithShop();
    const refused = await api.patch(`/api/catalog/locations/${id}`);
    expect(refused.status).toBe(405);
    expect(refused.headers.allow).toBe('GET, PUT, DELETE');
    const found = await api.post('/api/catalog/locations/by-query').send({});
    expect(found.status).toBe(200);
    expect(found.body.items).toMatchObject([{ target: shop }]);
  });
});
