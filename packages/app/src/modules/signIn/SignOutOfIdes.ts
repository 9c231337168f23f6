import {
  BackstageUserIdentity,
  DiscoveryApi,
  IdentityApi,
  ProfileInfo,
} from '@backstage/frontend-plugin-api';

/** A sign-out does not wait longer for the IDEs' answer. */
const TIMEOUT_MS = 3000;

/** An identity whose sign-out ends the user's way into IDEs as well: they have cookies of their own. */
export class SignOutOfIdes implements IdentityApi {
  readonly #identity: IdentityApi;
  readonly #discoveryApi: Pick<DiscoveryApi, 'getBaseUrl'>;
  readonly #fetch: typeof fetch;

  constructor(
    identity: IdentityApi,
    discoveryApi: Pick<DiscoveryApi, 'getBaseUrl'>,
    request: typeof fetch = (...args) => window.fetch(...args),
  ) {
    this.#identity = identity;
    this.#discoveryApi = discoveryApi;
    this.#fetch = request;
  }

  getProfileInfo(): Promise<ProfileInfo> {
    return this.#identity.getProfileInfo();
  }

  getBackstageIdentity(): Promise<BackstageUserIdentity> {
    return this.#identity.getBackstageIdentity();
  }

  getCredentials(): Promise<{ token?: string }> {
    return this.#identity.getCredentials();
  }

  async signOut(): Promise<void> {
    // Nobody is kept signed in because the IDEs do not answer; their cookies end in hours.
    await this.#endSessions().catch(() => undefined);
    await this.#identity.signOut();
  }

  async #endSessions(): Promise<void> {
    const [baseUrl, { token }] = await Promise.all([
      this.#discoveryApi.getBaseUrl('ide-launcher'),
      this.#identity.getCredentials(),
    ]);
    await this.#fetch(`${baseUrl}/sessions`, {
      method: 'DELETE',
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
}
