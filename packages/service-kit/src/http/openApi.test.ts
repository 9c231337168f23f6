import { shopConfig, shopService } from '../__fixtures__/shopService.ts';
import { startTestService } from '../testing/index.ts';

it('describes every response of a route', async () => {
  const service = await startTestService(shopService(), { config: shopConfig });
  const { paths } = (await service.app.inject('/openapi.json')).json();
  const statuses = (path: string, method: string) =>
    Object.keys(paths[path][method].responses).map(Number);
  expect(statuses('/api/orders', 'post')).toEqual([
    201, 400, 401, 403, 409, 413, 429, 500, 503,
  ]);
  expect(statuses('/api/orders', 'get')).toEqual([
    200, 400, 401, 403, 429, 500, 503,
  ]);
  expect(statuses('/api/orders/{id}', 'get')).toEqual([
    200, 400, 404, 429, 500, 503,
  ]);
  expect(statuses('/health', 'get')).toEqual([200, 503]);
  const [page] = paths['/api/orders'].get.parameters;
  expect(page).toMatchObject({ name: 'page', schema: { default: 1 } });
  expect(page.required).not.toBe(true);
  const { content } = paths['/api/orders'].post.responses[409];
  expect(content['application/json'].schema.properties.error.required).toEqual([
    'code',
    'message',
  ]);
  await service.stop();
});
