import { mockCredentials } from '@backstage/backend-test-utils';
import {
  AuthorizeResult,
  createPermission,
} from '@backstage/plugin-permission-common';
import { SlipwayPermissionPolicy } from './policy';

const policy = new SlipwayPermissionPolicy({
  adminGroups: ['group:default/Platform-Admins'],
});

function userIn(...groups: string[]) {
  const userEntityRef = 'user:default/somebody';
  const credentials = mockCredentials.user(userEntityRef);
  return {
    credentials,
    token: 'unused',
    expiresInSeconds: 60,
    identity: {
      type: 'user' as const,
      userEntityRef,
      ownershipEntityRefs: groups,
    },
    info: { userEntityRef, ownershipEntityRefs: [userEntityRef, ...groups] },
  };
}

async function decide(name: string, user?: ReturnType<typeof userIn>) {
  const permission = createPermission({ name, attributes: {} });
  const { result } = await policy.handle({ permission }, user);
  return result;
}

const member = userIn('group:default/payments');
const admin = userIn('group:default/platform-admins');

describe('SlipwayPermissionPolicy', () => {
  it.each([
    'catalog.entity.read',
    'catalog.location.create',
    'ide-launcher.workspace.delete',
  ])('lets all signed-in users %s', async name => {
    await expect(decide(name, member)).resolves.toBe(AuthorizeResult.ALLOW);
  });

  it.each(['catalog.entity.delete', 'feature-flags.admin.tokens'])(
    'lets only admins %s',
    async name => {
      await expect(decide(name, member)).resolves.toBe(AuthorizeResult.DENY);
      await expect(decide(name, admin)).resolves.toBe(AuthorizeResult.ALLOW);
    },
  );

  it('denies access without a session', async () => {
    await expect(decide('catalog.entity.read')).resolves.toBe(
      AuthorizeResult.DENY,
    );
  });
});
