import { createServer, type Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const ALGORITHM = 'ES256';
const ISSUER = 'https://issuer.example.org';
const AUDIENCE = 'slipway';

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** Issues service tokens and publishes its keys. */
export class Issuer {
  readonly #server: Server;
  readonly #key: PrivateKey;

  private constructor(options: { server: Server; key: PrivateKey }) {
    this.#server = options.server;
    this.#key = options.key;
  }

  static async start(): Promise<Issuer> {
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM);
    const keys = [{ ...(await exportJWK(publicKey)), alg: ALGORITHM }];
    const server = createServer((_req, res) => {
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify({ keys }));
    });
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new Issuer({ server, key: privateKey });
  }

  /** The `backend.auth.externalAccess` entry that makes the portal trust it. */
  get access(): object {
    const { port } = this.#server.address() as AddressInfo;
    return {
      type: 'jwks',
      options: {
        url: `http://127.0.0.1:${port}/jwks.json`,
        issuer: ISSUER,
        audience: AUDIENCE,
        algorithm: ALGORITHM,
        subjectPrefix: 'ci',
      },
    };
  }

  /** Signs a token for a service; another `audience` makes it invalid for the portal. */
  async token(subject: string, audience = AUDIENCE): Promise<string> {
    return new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM })
      .setSubject(subject)
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setExpirationTime('10m')
      .sign(this.#key);
  }

  async stop(): Promise<void> {
    await new Promise(resolve => this.#server.close(resolve));
  }
}
