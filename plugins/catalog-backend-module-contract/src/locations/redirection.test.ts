import { component, GIT, startCatalog } from '../__testUtils__/startCatalog';

const shop = `${GIT}/shop.yaml`;

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
