const USERS = ['ada', 'grace'];

const FOUND = {
  type: 'software-catalog',
  document: {
    title: 'API gateway',
    text: 'Routes requests.',
    location: '/catalog/default/component/api-gateway',
  },
};

/** Configuration of a front end that talks to a {@link FakePortal}. */
export const fakePortalConfig = {
  app: {
    title: 'Slipway',
    baseUrl: 'http://localhost:3000',
    signIn: {
      method: 'development',
      users: [
        { name: 'ada', displayName: 'Ada' },
        { name: 'grace', displayName: 'Grace' },
      ],
    },
    extensions: [
      { 'page:home': { config: { path: '/' } } },
      { 'home-page-widget:home/toolkit': false },
      { 'home-page-widget:home/random-joke': false },
    ],
  },
  backend: { baseUrl: 'http://localhost:7007' },
};

/**
 * A small fake portal: signs in ada and grace, has an empty catalog, two unread notifications and
 * one search result. `install` replaces `fetch` with it.
 */
export class FakePortal {
  /** Users for whom a session was requested, in order. */
  readonly refreshedUsers: string[] = [];

  install(): void {
    vi.stubGlobal('fetch', this.#answer);
  }

  readonly #answer: typeof fetch = async input => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    if (url.pathname === '/api/auth/dev/refresh') {
      return this.#refresh(url.searchParams.get('user') ?? '');
    }
    if (url.pathname.startsWith('/api/catalog/')) {
      return Response.json({ items: [], totalItems: 0, pageInfo: {} });
    }
    if (url.pathname === '/api/notifications/status') {
      return Response.json({ unread: 2, read: 0 });
    }
    if (url.pathname === '/api/search/query') {
      return Response.json({ results: [FOUND] });
    }
    return Response.json({ error: 'Not found' }, { status: 404 });
  };

  #refresh(user: string): Response {
    this.refreshedUsers.push(user);
    if (!USERS.includes(user)) {
      return Response.json(
        {
          error: { name: 'AuthenticationError', message: 'No such user' },
          response: { statusCode: 401 },
        },
        { status: 401 },
      );
    }
    const userEntityRef = `user:default/${user}`;
    return Response.json({
      profile: { displayName: user[0].toUpperCase() + user.slice(1) },
      backstageIdentity: {
        token: `token-of-${user}`,
        identity: {
          type: 'user',
          userEntityRef,
          ownershipEntityRefs: [userEntityRef],
        },
      },
    });
  }
}
