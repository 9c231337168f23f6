import { DevelopmentIdentity } from './DevelopmentIdentity';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

function tokenExpiringAt(time: number, id: string): string {
  const payload = window.btoa(JSON.stringify({ exp: time / 1000 }));
  return `header.${payload}.${id}`;
}

/**
 * A fake portal that responds to every refresh with a token that is valid for an hour.
 */
class FakeAuthBackend {
  readonly requests: string[] = [];
  /** True if the user no longer exists. */
  isGone = false;

  readonly fetch: typeof fetch = async input => {
    this.requests.push(String(input));
    if (this.isGone) {
      return Response.json({ error: 'No such user' }, { status: 404 });
    }
    const id = `token${this.requests.length}`;
    return Response.json({
      profile: { displayName: 'Ada' },
      backstageIdentity: {
        token: tokenExpiringAt(Date.now() + 3_600_000, id),
        identity: {
          type: 'user',
          userEntityRef: 'user:default/ada',
          ownershipEntityRefs: ['user:default/ada'],
        },
      },
    });
  };
}

describe('DevelopmentIdentity', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function signIn(user = 'ada') {
    const backend = new FakeAuthBackend();
    const onSignOut = vi.fn();
    const identity = await DevelopmentIdentity.create({
      user,
      discoveryApi: { getBaseUrl: async id => `http://portal/api/${id}` },
      onSignOut,
      fetch: backend.fetch,
    });
    return { backend, identity, onSignOut };
  }

  it('requests a session for the chosen user from the dev provider', async () => {
    const { backend, identity } = await signIn('ada & co');
    expect(backend.requests).toEqual([
      'http://portal/api/auth/dev/refresh?user=ada%20%26%20co',
    ]);
    expect((await identity.getBackstageIdentity()).userEntityRef).toBe(
      'user:default/ada',
    );
  });

  it('renews before the token expires, once for concurrent callers', async () => {
    const { backend, identity } = await signIn();
    vi.setSystemTime(NOW + 57 * 60_000);
    expect((await identity.getCredentials()).token).toMatch(/token1$/);

    vi.setSystemTime(NOW + 58.5 * 60_000);
    const [one, other] = await Promise.all([
      identity.getCredentials(),
      identity.getCredentials(),
    ]);
    expect(one.token).toMatch(/token2$/);
    expect(other.token).toBe(one.token);
    expect(backend.requests).toHaveLength(2);
  });

  it('reports a refusal with its status', async () => {
    const refused = DevelopmentIdentity.create({
      user: 'nobody',
      discoveryApi: { getBaseUrl: async () => 'http://portal/api/auth' },
      onSignOut: () => {},
      fetch: async () =>
        Response.json({ error: 'No such user' }, { status: 401 }),
    });
    await expect(refused).rejects.toMatchObject({ statusCode: 401 });
  });

  it('reports the end of the session if the user is gone', async () => {
    const { backend, identity } = await signIn();
    backend.isGone = true;
    vi.setSystemTime(NOW + 59 * 60_000);
    await expect(identity.getCredentials()).rejects.toMatchObject({
      statusCode: 401,
    });
    backend.isGone = false;
    expect((await identity.getCredentials()).token).toMatch(/token3$/);
  });

  it('notifies its owner on sign-out', async () => {
    const { identity, onSignOut } = await signIn();
    await identity.signOut();
    expect(onSignOut).toHaveBeenCalledOnce();
  });
});
