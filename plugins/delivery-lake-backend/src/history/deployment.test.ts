import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import { mockCredentials } from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { changePosition } from '../events/foldRecords';
import { deploymentRow } from './__testUtils__/rows';
import { startHistory } from './__testUtils__/startHistory';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';

const GRACE = mockCredentials.user.header('user:default/grace');
const CI = mockCredentials.service.header({
  onBehalfOf: mockCredentials.service('external:ci'),
  targetPluginId: 'delivery-lake',
});

/** Allows everyone to read, and only admins to use admin permissions. */
function readers(admin: boolean) {
  const decide = (permission: { name: string }) => ({
    result:
      admin || !permission.name.includes('.admin.')
        ? AuthorizeResult.ALLOW
        : AuthorizeResult.DENY,
  });
  return createServiceFactory({
    service: coreServices.permissions,
    deps: {},
    factory: () => ({
      authorize: async requests =>
        requests.map(({ permission }) => decide(permission)) as never,
      authorizeConditional: async requests =>
        requests.map(({ permission }) => decide(permission)) as never,
    }),
  });
}

function membersOf(groups: string[]) {
  return createServiceFactory({
    service: coreServices.userInfo,
    deps: {},
    factory: () => ({
      getUserInfo: async () => ({
        userEntityRef: 'user:default/grace',
        ownershipEntityRefs: ['user:default/grace', ...groups],
      }),
    }),
  });
}

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())(
  'GET /deployments/{id} on %s',
  databaseId => {
    const start = async (tables = {}, options = {}) =>
      startHistory(await databases.init(databaseId), tables, options);

    it('lists its changes, latest first', async () => {
      const change = (id: number, more: object = {}) => ({
        ...{ id, repository_id: 1, sha: `sha-${id}`, message: `Change ${id}` },
        ...{
          author: 'Ada',
          position: changePosition(id * 1_000),
          revision: 1,
          ...more,
        },
      });
      const duration = (
        kind: number,
        subject_id: number,
        more: object = {},
      ) => ({
        ...{ kind, service_id: 1, subject_id, ended_at: 5_500, ...more },
      });
      const { get, deriver } = await start({
        repositories: [{ id: 1, name: 'shop/till' }],
        deployments: [deploymentRow(5), deploymentRow(6)],
        changes: [
          change(1, { committed_at: 700, url: 'https://forge.example.org/1' }),
          change(2),
          change(3, { committed_at: 3_000 }),
        ],
        durations: [
          duration(1, 1, { deployment_id: 5, duration: 4_800 }),
          duration(1, 2, { deployment_id: 5 }),
          duration(1, 3, { deployment_id: 6, duration: 2_500 }),
          duration(3, 2, { deployment_id: 5, duration: 1 }),
        ],
      });
      const { body } = await get('/deployments/deploy-5');

      expect(deriver.drained).toEqual([[1]]);
      expect(body).toEqual({
        deployment: expect.objectContaining({
          id: 'deploy-5',
          service: 'till',
        }),
        totalChanges: 2,
        changes: [
          {
            ...{ sha: 'sha-2', repository: 'shop/till', message: 'Change 2' },
            ...{ author: 'Ada', url: null, leadTimeSeconds: null },
            committedAt: '1970-01-01T00:00:02.000Z',
          },
          {
            ...{ sha: 'sha-1', repository: 'shop/till', message: 'Change 1' },
            ...{ author: 'Ada', url: 'https://forge.example.org/1' },
            committedAt: '1970-01-01T00:00:00.700Z',
            leadTimeSeconds: 5,
          },
        ],
      });
    });

    describe('of a change', () => {
      /**
       * Sends a request as a member of these groups, by default without admin rights.
       */
      const readAs = async (
        groups: string[],
        { admin = false, authorization = GRACE } = {},
      ) => {
        const { call } = await start(
          {
            repositories: [{ id: 1, name: 'shop/till' }],
            deployments: [
              deploymentRow(5),
              deploymentRow(6, { service_id: 3 }),
            ],
            changes: [5, 6].map(id => ({
              ...{ id, repository_id: 1, sha: `sha-${id}`, author: 'Ada' },
              ...{ message: 'Fix', position: changePosition(700), revision: 1 },
              committed_at: 700,
            })),
            durations: [5, 6].map(id => ({
              ...{ kind: 1, service_id: id === 5 ? 1 : 3, subject_id: id },
              ...{ ended_at: 5_500, deployment_id: id, duration: 4_800 },
            })),
          },
          { features: [readers(admin), membersOf(groups)] },
        );
        const answers = await Promise.all(
          [5, 6].map(id =>
            call('get', `/deployments/deploy-${id}`, authorization),
          ),
        );
        return answers.map(({ body }) => body.changes[0]);
      };
      const whole = {
        sha: 'sha-5',
        author: 'Ada',
        committedAt: '1970-01-01T00:00:00.700Z',
        leadTimeSeconds: 5,
      };
      const nameless = {
        ...{ repository: 'shop/till', message: 'Fix', url: null },
        ...{ author: null, committedAt: null, leadTimeSeconds: null },
      };

      it('shows author and time to the team that owns the service', async () => {
        const [own, stray] = await readAs(['group:default/payments']);
        expect(own).toMatchObject(whole);
        expect(stray).toEqual({ sha: 'sha-6', ...nameless });
      });

      it('hides author and time from others', async () => {
        const [change] = await readAs(['group:default/search']);
        expect(change).toEqual({ sha: 'sha-5', ...nameless });
      });

      it('shows every service to admins and programs', async () => {
        for (const changes of [
          await readAs([], { admin: true }),
          await readAs([], { admin: true, authorization: CI }),
        ]) {
          expect(changes).toMatchObject([whole, { author: 'Ada' }]);
        }
      });
    });

    it.each([
      'deploy-9',
      'none',
      '%00',
      'deploy-%00',
      `deploy-${'a'.repeat(500)}`,
    ])('answers 404 to %s', async id => {
      const { get } = await start();
      const { status, body } = await get(`/deployments/${id}`);
      expect(status).toBe(404);
      expect(body.error).toMatch(/^Deployment '/);
    });
  },
);
