import {
  DiscoveryApi,
  IdentityApi,
  ProfileInfo,
} from '@backstage/frontend-plugin-api';
import { ResponseError } from '@backstage/errors';
import { readFailedCall } from '@slipway/app-react';
import { Session, renewalTime } from './session';

/** Options of {@link DevelopmentIdentity.create}. */
export interface DevelopmentIdentityOptions {
  /** Name of a user entity in the default namespace. */
  user: string;
  discoveryApi: Pick<DiscoveryApi, 'getBaseUrl'>;
  /** Called when the user signs out. */
  onSignOut(): void;
  fetch?: typeof fetch;
}

/**
 * A named user without a password, from the `dev` auth provider. Holds a token
 * in memory only and renews it before it expires; concurrent callers share one
 * renewal.
 */
export class DevelopmentIdentity implements IdentityApi {
  readonly #options: DevelopmentIdentityOptions;
  readonly #abort = new AbortController();
  #session: Session;
  #renewAt: number;
  #renewal: Promise<Session> | undefined;

  private constructor(options: DevelopmentIdentityOptions, session: Session) {
    this.#options = options;
    this.#session = session;
    this.#renewAt = renewalTime(session.backstageIdentity.token, Date.now());
  }

  /**
   * Signs in.
   * @throws ResponseError if the provider refuses, or the user is unknown.
   */
  static async create(
    options: DevelopmentIdentityOptions,
  ): Promise<DevelopmentIdentity> {
    return new DevelopmentIdentity(options, await requestSession(options));
  }

  async getProfileInfo(): Promise<ProfileInfo> {
    return this.#session.profile;
  }

  async getBackstageIdentity() {
    return this.#session.backstageIdentity.identity;
  }

  async getCredentials(): Promise<{ token?: string }> {
    const session = await this.#currentSession();
    return { token: session.backstageIdentity.token };
  }

  async signOut(): Promise<void> {
    this.#abort.abort();
    this.#options.onSignOut();
  }

  async #currentSession(): Promise<Session> {
    if (Date.now() < this.#renewAt) {
      return this.#session;
    }
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(): Promise<Session> {
    const session = await requestSession(
      this.#options,
      this.#abort.signal,
    ).catch(async error => {
      const { status = 0 } = readFailedCall(error);
      // A page would take the 404 of a deleted user to mean that what it shows does not exist.
      throw status === 404
        ? await ResponseError.fromResponse(new Response(null, { status: 401 }))
        : error;
    });
    this.#session = session;
    this.#renewAt = renewalTime(session.backstageIdentity.token, Date.now());
    return session;
  }
}

async function requestSession(
  options: DevelopmentIdentityOptions,
  signal?: AbortSignal,
): Promise<Session> {
  const { user, discoveryApi, fetch: request = window.fetch } = options;
  const baseUrl = await discoveryApi.getBaseUrl('auth');
  const response = await request(
    `${baseUrl}/dev/refresh?user=${encodeURIComponent(user)}`,
    {
      signal,
      credentials: 'include',
      headers: { 'X-Requested-With': 'XMLHttpRequest' },
    },
  );
  if (!response.ok) {
    throw await ResponseError.fromResponse(response);
  }
  return (await response.json()) as Session;
}
