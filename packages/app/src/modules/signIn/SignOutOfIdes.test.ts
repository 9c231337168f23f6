import { IdentityApi } from '@backstage/frontend-plugin-api';
import { onSignOutElsewhere } from './otherTabs';
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

  it('does not wait for a token that never arrives, as when the session has ended', async () => {
    vi.useFakeTimers();
    try {
      const { identity, signOut } = anIdentity();
      identity.getCredentials = () => new Promise(() => {});
      const done = new SignOutOfIdes(identity, discovery).signOut();
      await vi.advanceTimersByTimeAsync(3_000);
      await done;
      expect(signOut).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('tells the other tabs, once the user is signed out', async () => {
    const { identity, signOut } = anIdentity();
    const written = vi.spyOn(Storage.prototype, 'setItem');
    signOut.mockRejectedValueOnce(new Error('The portal is down'));
    const session = new SignOutOfIdes(identity, discovery, async () =>
      Response.json({}),
    );
    await expect(session.signOut()).rejects.toThrow('The portal is down');
    expect(written).not.toHaveBeenCalled();
    await session.signOut();
    const [[key]] = written.mock.calls;
    written.mockRestore();

    let signedOut = 0;
    const stop = onSignOutElsewhere(() => {
      signedOut += 1;
    });
    const change = (name: string) =>
      window.dispatchEvent(new StorageEvent('storage', { key: name }));
    change('theme');
    expect(signedOut).toBe(0);
    change(key);
    expect(signedOut).toBe(1);
    stop();
    change(key);
    expect(signedOut).toBe(1);
  });
});
