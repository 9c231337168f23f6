import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

/**
 * As much of the portal as services talk to about users, over real HTTP: its public
 * keys, userinfo, and tokens that verify against them.
 */
export class FakePortal {
  /** Every request that came, as `GET /path`. */
  readonly requests: string[] = [];
  /** Answers 503 to everything while true. */
  down = false;
  readonly #server: Server;
  readonly #keys: KeyPair;
  readonly #jwk: JWK;
  readonly #groups: Map<string, readonly string[]>;

  private constructor(parts: {
    keys: KeyPair;
    jwk: JWK;
    groups: Map<string, readonly string[]>;
  }) {
    this.#keys = parts.keys;
    this.#jwk = parts.jwk;
    this.#groups = parts.groups;
    this.#server = createServer((request, response) => {
      this.requests.push(`${request.method} ${request.url}`);
      const { status, body } = this.#answer(
        request.url ?? '',
        request.headers.authorization,
      );
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  }

  /** @param options.groups - entity references of the groups of each user, by its own. */
  static async start(
    options: { groups?: Record<string, readonly string[]> } = {},
  ): Promise<FakePortal> {
    const keys = await generateKeyPair('ES256', { extractable: true });
    const jwk = {
      ...(await exportJWK(keys.publicKey)),
      kid: 'fake',
      alg: 'ES256',
    };
    const groups = new Map(Object.entries(options.groups ?? {}));
    const portal = new FakePortal({ keys, jwk, groups });
    await new Promise<void>(resolve => {
      portal.#server.listen(0, '127.0.0.1', resolve);
    });
    return portal;
  }

  /** Of its API: `portal.baseUrl` of a service under test. */
  get baseUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** The `Cookie` header of a signed-in user, e.g. of `user:default/ada`. */
  async cookie(user: string): Promise<string> {
    return `backstage-auth=${await this.token(user, { limited: true })}`;
  }

  /**
   * A token of a user: the full one of an `Authorization` header, or the limited one
   * of the cookie.
   *
   * @param options.expiresIn - seconds; negative for one that has expired.
   */
  async token(
    user: string,
    options: { limited?: boolean; expiresIn?: number } = {},
  ): Promise<string> {
    const { limited = false, expiresIn = 3_600 } = options;
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT(limited ? {} : { aud: 'backstage', iss: this.baseUrl })
      .setProtectedHeader({
        alg: 'ES256',
        kid: 'fake',
        typ: limited ? 'vnd.backstage.limited-user' : 'vnd.backstage.user',
      })
      .setSubject(user)
      .setIssuedAt(now)
      .setExpirationTime(now + expiresIn)
      .sign(this.#keys.privateKey);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #answer(
    url: string,
    authorization: string | undefined,
  ): { status: number; body: object } {
    if (this.down) {
      return { status: 503, body: {} };
    }
    if (url === '/api/auth/.well-known/jwks.json') {
      return { status: 200, body: { keys: [this.#jwk] } };
    }
    if (url === '/api/auth/v1/userinfo') {
      const payload = authorization?.split('.')[1];
      if (!payload) {
        return { status: 401, body: {} };
      }
      const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString());
      const ent = [sub, ...(this.#groups.get(sub) ?? [])];
      return { status: 200, body: { claims: { sub, ent } } };
    }
    return { status: 404, body: {} };
  }
}
