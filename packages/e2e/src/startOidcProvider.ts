import { once } from 'node:events';
import type { Server } from 'node:http';
import Provider from 'oidc-provider';

/** The only client of the provider. */
export interface OidcClient {
  clientId: string;
  clientSecret: string;
  /** Redirect URI after signing in. */
  redirectUri: string;
}

/**
 * Starts a real OpenID Connect provider. Its sign-in form accepts any name and password; `ada` has
 * the verified email address ada@example.org.
 *
 * @param options.issuer - its own address, including the port.
 * @returns the server; the caller closes it.
 */
export async function startOidcProvider(options: {
  issuer: string;
  client: OidcClient;
}): Promise<Server> {
  const { issuer, client } = options;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [client.redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    claims: {
      openid: ['sub'],
      profile: ['name'],
      email: ['email', 'email_verified'],
    },
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    // Like most providers, and without asking for consent again each time.
    issueRefreshToken: async (_context, registered) =>
      registered.grantTypeAllowed('refresh_token'),
    cookies: { keys: ['end-to-end'] },
    // The portal keeps its secret in the backend, not in the browser.
    pkce: { required: () => false },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        name: accountId,
        email: `${accountId}@example.org`,
        email_verified: true,
      }),
    }),
  });
  const server = provider.listen(Number(new URL(issuer).port), '127.0.0.1');
  await once(server, 'listening');
  return server;
}
