import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { mockServices } from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import express from 'express';
import request from 'supertest';
import { GIT } from '../__testUtils__/startCatalog';
import { createLocationRoutes } from './routes';

it.each([
  ['keeps', 'post', undefined, 0],
  ['removes', 'post', 500, 1],
  ['keeps', 'put', undefined, 0],
  ['removes', 'put', 503, 1],
] as const)(
  '%s the claims of a %s that ends with status %s',
  async (_, method, status, removals) => {
    let undone = 0;
    const location = { type: 'url', target: `${GIT}/shop.yaml` };
    const stored = { id: '1', entityRef: '', ...location };
    const app = express().use(
      createLocationRoutes({
        auth: mockServices.auth(),
        catalog: Object.assign(catalogServiceMock(), {
          getLocationById: async () => stored,
        }),
        httpAuth: mockServices.httpAuth(),
        permissions: mockServices.permissions(),
        files: { resolve: async target => target },
        reader: {
          read: async () => ({
            location: stored,
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
    const path = { post: '/locations', put: '/locations/1' }[method];
    const call = request(server)[method](path).send(location);
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
  },
);
