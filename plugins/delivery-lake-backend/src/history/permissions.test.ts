import { mockCredentials, mockServices } from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { startHistory } from './__testUtils__/startHistory';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())(
  'routes that read on %s',
  databaseId => {
    const start = async (tables = {}, options = {}) =>
      startHistory(await databases.init(databaseId), tables, options);

    it('allows callers who may read, and checks that before it validates the query', async () => {
      const { call } = await start(
        {},
        {
          features: [
            mockServices.permissions.factory({ result: AuthorizeResult.DENY }),
          ],
        },
      );
      for (const path of [
        'deployment-history',
        'deployments?limit=x',
        'deployments.csv',
        'deployments/deploy-1',
        'incidents',
        'incidents.csv',
      ]) {
        const denied = await call('get', `/${path}`);
        expect(denied.status).toBe(403);
        expect(denied.body).toEqual({
          error: 'Permission delivery-lake.delivery.read is required',
        });
        const anonymous = await call(
          'get',
          `/${path}`,
          mockCredentials.none.header(),
        );
        expect(anonymous.status).toBe(401);
      }
      const posted = await call('post', '/deployment-history');
      expect(posted.status).toBe(405);
      expect(posted.headers.allow).toBe('GET');
    });
  },
);
