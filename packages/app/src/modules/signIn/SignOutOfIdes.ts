import {
  BackstageUserIdentity,
  DiscoveryApi,
  IdentityApi,
  ProfileInfo,
} from '@backstage/frontend-plugin-api';
import { signOutOtherTabs } from './otherTabs';

/** Maximum time that a sign-out takes to end the sessions of IDEs. */
const TIMEOUT_MS = 3000;

/**
 * Wraps an identity so that signing out also ends the user's access to IDEs, which have
 * separate cookies, and the session in other tabs.
 */
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
    // Sign out even if the IDEs do not respond; their cookies expire within hours. The time limit
    // also covers the token: requesting it after the session has ended would ask the user to sign in.
    await Promise.race([
      this.#endSessions().catch(() => undefined),
      new Promise(resolve => setTimeout(resolve, TIMEOUT_MS)),
    ]);
    await this.#identity.signOut();
    signOutOtherTabs();
  }

  async #endSessions(): Promise<void> {
    const [baseUrl, { token }] = await Promise.all([
      this.#discoveryApi.getBaseUrl('ide-launcher'),
      this.#identity.getCredentials(),
    ]);
    await this.#fetch(`${baseUrl}/sessions`, {
      method: 'DELETE',
      headers: token ? { Authorization: `Bearer ${token}` } : {},
    });
  }
}
