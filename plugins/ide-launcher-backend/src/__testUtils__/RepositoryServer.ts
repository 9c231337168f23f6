import { IncomingMessage } from 'node:http';
import { createServer, Server } from 'node:https';
import { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { makeLocalhostCertificate } from './localhostCertificate';

const COMMIT = '4c1a5e1d0c3b2a19081726354433221100ffeedd';

/** A devfile without name and projects, as in a repository. */
export const NODE_DEVFILE = `
schemaVersion: 2.2.2
metadata: { version: 1.0.0 }
components:
  - name: tools
    container: { image: example.org/node:1 }
`;

/**
 * An HTTPS forge with public repositories. It lists branches and tags like a git server, and serves files
 * like GitLab. This process trusts its certificate until the server is stopped.
 */
export class RepositoryServer {
  /** Files by path. */
  readonly files: Record<string, string> = {};
  /** Branches of the repository `/acme/shop`; the first is the default one. */
  branches = ['main', 'feature/cart'];
  /** If set, receives all requests, which then get no response. */
  onHeld: ((request: IncomingMessage) => void) | undefined;
  readonly #server: Server;
  readonly #trusted = tls.getCACertificates('default');

  private constructor(server: Server, certificate: string) {
    this.#server = server;
    tls.setDefaultCACertificates([...this.#trusted, certificate]);
    server.on('request', (request, response) => {
      if (this.onHeld) {
        this.onHeld(request);
        return;
      }
      const { url = '/' } = request;
      const answer = this.#answer(new URL(url, 'https://localhost'));
      response.statusCode = answer === undefined ? 404 : 200;
      response.end(answer);
    });
  }

  static async start(): Promise<RepositoryServer> {
    const certificate = makeLocalhostCertificate();
    const server = createServer(certificate).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    return new RepositoryServer(server, certificate.cert);
  }

  get host(): string {
    return `localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Address of the repository's page. */
  get url(): string {
    return `https://${this.host}/acme/shop`;
  }

  async stop(): Promise<void> {
    tls.setDefaultCACertificates(this.#trusted);
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #answer({ pathname }: URL): string | undefined {
    return /^\/acme\/shop(\.git)?\/info\/refs$/.test(pathname)
      ? this.#refs()
      : this.files[pathname];
  }

  #refs(): string {
    const [first, ...others] = this.branches.map(
      name => `${COMMIT} refs/heads/${name}`,
    );
    const head = `${COMMIT} HEAD\0multi_ack symref=HEAD:refs/heads/${this.branches[0]} agent=git`;
    const lines = [head, first, ...others].map(packet).join('');
    return `${packet('# service=git-upload-pack')}0000${lines}0000`;
  }
}

/** Returns a line of git's protocol. */
function packet(line: string): string {
  const length = (line.length + 5).toString(16).padStart(4, '0');
  return `${length}${line}\n`;
}
