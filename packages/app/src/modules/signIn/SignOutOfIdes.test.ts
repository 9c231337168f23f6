import { IdentityApi } from '@backstage/frontend-plugin-api';
import { SignOutOfIdes } from './SignOutOfIdes';

const discovery = {
  getBaseUrl: async (id: string) => `http://localhost:7007/api/${id}`,
};

function anIdentity() {
  const signOut = vi.fn(async () => undefined);
  const identity: IdentityApi = {
    getProfileInfo: async () => ({ displayName: 'Ada' }),
    getBackstageIdentity: async () => ({
      type: 'user',
      userEntityRef: 'user:default/ada',
      ownershipEntityRefs: [],
    }),
    getCredentials: async () => ({ token: 'a-token' }),
    signOut,
  };
  return { identity, signOut };
}

describe('SignOutOfIdes', () => {
  it('ends the sessions of IDEs, then signs out', async () => {
    const { identity, signOut } = anIdentity();
    const request = vi.fn(async () => new Response(null, { status: 204 }));
    await new SignOutOfIdes(identity, discovery, request).signOut();

    expect(request).toHaveBeenCalledWith(
      'http://localhost:7007/api/ide-launcher/sessions',
      expect.objectContaining({
        method: 'DELETE',
        headers: { Authorization: 'Bearer a-token' },
      }),
    );
    expect(signOut).toHaveBeenCalledTimes(1);
  });

  it('signs out even if the IDEs do not respond', async () => {
    const { identity, signOut } = anIdentity();
    const request = async () => Promise.reject(new TypeError('offline'));
    await new SignOutOfIdes(identity, discovery, request).signOut();
    expect(signOut).toHaveBeenCalledTimes(1);
  });
});
