import { mockServices } from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { authorInCatalog } from './runStart';

function finder(profile?: object) {
  const catalog = catalogServiceMock({
    entities: [
      {
        apiVersion: 'backstage.io/v1alpha1',
        kind: 'User',
        metadata: { name: 'ada', namespace: 'default' },
        spec: { memberOf: [], ...(profile && { profile }) },
      },
    ],
  });
  const auth = mockServices.auth();
  return authorInCatalog({ auth, catalog, logger: mockServices.rootLogger() });
}

describe('authorInCatalog', () => {
  it('finds the name and email address of a user', async () => {
    const find = finder({ displayName: 'Ada King', email: 'ada@example.org' });
    await expect(find('user:default/ada')).resolves.toEqual({
      name: 'Ada King',
      email: 'ada@example.org',
    });
    await expect(find('user:default/grace')).resolves.toBeNull();
    await expect(find('external:ci')).resolves.toBeNull();
    await expect(
      finder({ email: 'ada@example.org' })('user:default/ada'),
    ).resolves.toEqual({ name: 'ada', email: 'ada@example.org' });
    await expect(
      finder({ displayName: ' ', email: 'ada@example.org' })(
        'user:default/ada',
      ),
    ).resolves.toEqual({ name: 'ada', email: 'ada@example.org' });
    await expect(
      finder({ displayName: 'Ada King', email: '' })('user:default/ada'),
    ).resolves.toBeNull();
    await expect(finder()('user:default/ada')).resolves.toBeNull();
  });

  it('finds none if the catalog fails', async () => {
    const find = authorInCatalog({
      auth: mockServices.auth(),
      catalog: {
        getEntityByRef: async () => {
          throw new Error('connect ECONNREFUSED');
        },
      },
      logger: mockServices.rootLogger(),
    });
    await expect(find('user:default/ada')).resolves.toBeNull();
  });
});
