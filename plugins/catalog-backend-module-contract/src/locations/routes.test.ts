import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { mockServices } from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import express from 'express';
import request from 'supertest';
import { GIT } from '../__testUtils__/startCatalog';
import { createLocationRoutes } from './routes';

it.each([
  ['keeps', 'leaves before the catalog responds', undefined, 0],
  ['removes', 'is told that the catalog failed', 500, 1],
])('%s the claims of a client that %s', async (_, _when, status, removals) => {
  let undone = 0;
  const location = { type: 'url', target: `${GIT}/shop.yaml` };
  const app = express().use(
    createLocationRoutes({
      auth: mockServices.auth(),
      catalog: catalogServiceMock(),
      httpAuth: mockServices.httpAuth(),
      permissions: mockServices.permissions(),
      files: { resolve: async target => target },
      reader: {
        read: async () => ({
          location: {
            id: '',
            entityRef: 'location:default/generated-shop',
            ...location,
          },
          entities: [],
        }),
      },
      registrations: {
        assertNew: async () => {},
        abandon: async () => {},
        accept: async () => async () => {
          undone += 1;
        },
      },
    }),
  );
  const passedOn = new Promise<ServerResponse>(resolve => {
    app.use((_req, res) => resolve(res));
  });
  const server = createServer(app).listen(0);
  const call = request(server).post('/locations').send(location);
  const sent = call.then(
    () => {},
    () => {},
  );
  const response = await passedOn;
  const closed = once(response, 'close');
  if (status === undefined) {
    call.abort();
  } else {
    response.writeHead(status).end();
  }
  await Promise.all([closed, sent]);
  expect(undone).toBe(removals);
  server.close();
});
