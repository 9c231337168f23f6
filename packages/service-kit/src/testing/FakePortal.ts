import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CatalogEntity } from '@slipway/entity-contract';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

interface Keys {
  readonly privateKey: Awaited<
    ReturnType<typeof generateKeyPair>
  >['privateKey'];
  readonly jwk: JWK;
}

/**
 * An error page of a proxy, so large that the connection is reused only once the body has been
 * read.
 */
const ERROR_PAGE = 'x'.repeat(100_000);

/**
 * A fake of the portal APIs that services use for users and entities, over real HTTP: public keys,
 * userinfo, tokens that can be verified with these keys, and the catalog.
 */
export class FakePortal {
  /** Every request received, as `GET /path`. */
  readonly requests: string[] = [];
  /** The number of connections that were opened. */
  connections = 0;
  /** Responds to everything with 503 while true. */
  down = false;
  readonly #server: Server;
  /** Keys that sign Backstage's own tokens. */
  readonly #sessionKeys: Keys;
  /** Keys that sign the tokens issued by the proxy. */
  readonly #serviceKeys: Keys;
  readonly #groups: Map<string, readonly string[]>;
  /** Additional responses, by the start of the path. */
  readonly others = new Map<string, object>();
  /** The entities in its catalog. */
  entities: readonly CatalogEntity[] = [];

  private constructor(parts: {
    sessionKeys: Keys;
    serviceKeys: Keys;
    groups: Map<string, readonly string[]>;
  }) {
    this.#sessionKeys = parts.sessionKeys;
    this.#serviceKeys = parts.serviceKeys;
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
    this.#server.on('connection', () => {
      this.connections += 1;
    });
  }

  /**
   * Starts a portal on a free port.
   *
   * @param options.groups - entity references of each user's groups, by the user's reference.
   */
  static async start(
    options: { groups?: Record<string, readonly string[]> } = {},
  ): Promise<FakePortal> {
    const [sessionKeys, serviceKeys] = await Promise.all([
      generateKeys(),
      generateKeys(),
    ]);
    const groups = new Map(Object.entries(options.groups ?? {}));
    const portal = new FakePortal({ sessionKeys, serviceKeys, groups });
    await new Promise<void>(resolve => {
      portal.#server.listen(0, '127.0.0.1', resolve);
    });
    return portal;
  }

  /** The address of its API: `portal.baseUrl` of a service under test. */
  get baseUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Creates the `Cookie` header of a signed-in user, e.g. of `user:default/ada`. */
  async cookie(user: string): Promise<string> {
    return `backstage-auth=${await this.token(user, { limited: true })}`;
  }

  /**
   * Creates a token of a user: the full one for an `Authorization` header, the limited one for the
   * cookie, or the one that the proxy sends to a service.
   *
   * @param options.service - the name of the only service that accepts it.
   * @param options.expiresIn - seconds; negative for an expired token.
   */
  async token(
    user: string,
    options: { limited?: boolean; service?: string; expiresIn?: number } = {},
  ): Promise<string> {
    const { limited = false, service, expiresIn = 3_600 } = options;
    const now = Math.floor(Date.now() / 1_000);
    const backstage = limited
      ? { typ: 'vnd.backstage.limited-user', claims: {} }
      : {
          typ: 'vnd.backstage.user',
          claims: { aud: 'backstage', iss: this.baseUrl },
        };
    const { typ, claims } = service
      ? {
          typ: 'vnd.slipway.service-user',
          claims: { aud: service, ent: this.#refsOf(user) },
        }
      : backstage;
    const { privateKey } = service ? this.#serviceKeys : this.#sessionKeys;
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'fake', typ })
      .setSubject(user)
      .setIssuedAt(now)
      .setExpirationTime(now + expiresIn)
      .sign(privateKey);
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
      return { status: 503, body: { page: ERROR_PAGE } };
    }
    if (url === '/api/auth/.well-known/jwks.json') {
      return { status: 200, body: { keys: [this.#sessionKeys.jwk] } };
    }
    if (url === '/api/proxy/.well-known/jwks.json') {
      return { status: 200, body: { keys: [this.#serviceKeys.jwk] } };
    }
    if (url === '/api/auth/v1/userinfo') {
      const payload = authorization?.split('.')[1];
      if (!payload) {
        return { status: 401, body: {} };
      }
      const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return {
        status: 200,
        body: { claims: { sub, ent: this.#refsOf(sub) } },
      };
    }
    const [, other] =
      [...this.others].find(([path]) => url.startsWith(path)) ?? [];
    if (other) {
      return { status: 200, body: other };
    }
    return url.startsWith('/api/catalog/')
      ? this.#answerOfCatalog(new URL(url, this.baseUrl))
      : { status: 404, body: {} };
  }

  #answerOfCatalog({ pathname, searchParams }: URL): {
    status: number;
    body: object;
  } {
    const [, ref] = pathname.split('/by-name/');
    if (ref) {
      const [kind, , name] = ref.split('/').map(decodeURIComponent);
      const found = this.entities.find(
        entity =>
          entity.kind.toLowerCase() === kind && entity.metadata.name === name,
      );
      return found ? { status: 200, body: found } : { status: 404, body: {} };
    }
    const filters = searchParams.getAll('filter');
    if (!filters.every(filter => filter.includes(',relations.'))) {
      return { status: 404, body: {} };
    }
    const targets = filters.map(filter =>
      filter.split(',relations.')[1].split('='),
    );
    const items = this.entities.filter(
      ({ kind, relations = [] }) =>
        kind === 'Component' &&
        targets.some(([type, targetRef]) =>
          relations.some(
            relation =>
              relation.type === type && relation.targetRef === targetRef,
          ),
        ),
    );
    return { status: 200, body: { items } };
  }

  #refsOf(user: string): string[] {
    return [user, ...(this.#groups.get(user) ?? [])];
  }
}

async function generateKeys(): Promise<Keys> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'fake', alg: 'ES256' };
  return { privateKey, jwk };
}
