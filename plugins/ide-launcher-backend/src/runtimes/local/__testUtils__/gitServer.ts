import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, Server } from 'node:https';
import { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeLocalhostCertificate } from '../../../__testUtils__/localhostCertificate';

/** An HTTPS server with one repository; only clients that use {@link caFile} trust its certificate. */
export class GitServer {
  readonly caFile: string;
  readonly #folder: string;
  readonly #server: Server;

  private constructor(
    folder: string,
    server: Server,
    /** Address of the repository: branches `main` and `next`, and one file of 64 KiB noise. */
    readonly url: string,
    /** Shared with another server of the same host name. */
    readonly credentials: { cert: string; key: string },
  ) {
    this.#folder = folder;
    this.#server = server;
    this.caFile = path.join(folder, 'ca.pem');
  }

  static async start(): Promise<GitServer> {
    const folder = mkdtempSync(path.join(tmpdir(), 'git-server-'));
    createRepository(folder);
    const credentials = makeLocalhostCertificate();
    writeFileSync(path.join(folder, 'ca.pem'), credentials.cert);
    // Git's protocol for plain file servers.
    const server = createServer(credentials, async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'https://localhost');
      const content = await readFile(path.join(folder, pathname)).catch(
        () => null,
      );
      response.statusCode = content ? 200 : 404;
      response.end(content);
    }).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    return new GitServer(
      folder,
      server,
      `https://localhost:${port}/demo.git`,
      credentials,
    );
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function createRepository(folder: string) {
  const work = path.join(folder, 'work');
  const bare = path.join(folder, 'demo.git');
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      stdio: 'pipe',
      env: { PATH: process.env.PATH },
    });
  const commit = (message: string) => {
    writeFileSync(path.join(work, 'README.md'), `${message}\n`);
    git('-C', work, 'add', '.');
    git(
      '-C',
      work,
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.org',
      'commit',
      '-qm',
      message,
    );
  };
  git('init', '-q', '-b', 'main', work);
  writeFileSync(
    path.join(work, 'noise'),
    Uint8Array.from({ length: 65_536 }, () => Math.random() * 256),
  );
  commit('first');
  git('-C', work, 'checkout', '-qb', 'next');
  commit('second');
  git('-C', work, 'checkout', '-q', 'main');
  git('clone', '-q', '--bare', work, bare);
  git('-C', bare, 'update-server-info');
}
