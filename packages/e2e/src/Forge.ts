import { execFileSync } from 'node:child_process';
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import path from 'node:path';
import { generate } from 'selfsigned';

/**
 * A minimal forge for the platform: an HTTPS server with an unknown certificate authority, which
 * serves the files in `fixtures/` and a git repository over git's dumb HTTP protocol.
 */
export class Forge {
  readonly #root: string;
  readonly #key: string;
  readonly #certificate: string;
  /**
   * File for NODE_EXTRA_CA_CERTS: contains our authority in addition to those configured before.
   */
  readonly caFile: string;
  /** The newest commit of the repository. */
  readonly commit: string;

  private constructor(options: {
    root: string;
    caFile: string;
    commit: string;
    key: string;
    certificate: string;
  }) {
    this.#root = options.root;
    this.#key = options.key;
    this.#certificate = options.certificate;
    this.caFile = options.caFile;
    this.commit = options.commit;
  }

  /** Creates certificate, files and repository in an empty directory. */
  static async create(options: {
    directory: string;
    fixtures: string;
  }): Promise<Forge> {
    const root = path.join(options.directory, 'files');
    mkdirSync(root, { recursive: true });
    cpSync(options.fixtures, root, { recursive: true });
    const commit = makeRepository(
      path.join(root, 'shop'),
      path.join(root, 'shop.git'),
    );

    const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        {
          name: 'subjectAltName',
          altNames: [{ type: 2, value: 'localhost' }],
        },
      ],
    });
    const caFile = path.join(options.directory, 'ca.pem');
    writeFileSync(caFile, authorities() + pems.cert);
    return new Forge({
      root,
      caFile,
      commit,
      key: pems.private,
      certificate: pems.cert,
    });
  }

  /** Starts to listen. @returns the server; the caller closes it. */
  async listen(port: number): Promise<Server> {
    const server = createServer(
      { key: this.#key, cert: this.#certificate },
      (req, res) => this.#serve(req, res),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    return server;
  }

  #serve(req: IncomingMessage, res: ServerResponse): void {
    const { pathname } = new URL(req.url ?? '/', 'https://forge');
    const file = path.join(this.#root, path.normalize(pathname));
    createReadStream(file)
      .once('error', () => res.writeHead(404).end('not found'))
      .pipe(res);
  }
}

/** Authorities that the machine needs for its own network must stay trusted. */
function authorities(): string {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  return file && existsSync(file) ? `${readFileSync(file, 'utf8')}\n` : '';
}

/** Makes a bare repository of a folder. @returns its commit. */
function makeRepository(source: string, bare: string): string {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: source,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.org',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.org',
      },
      stdio: 'pipe',
    });
  git(source, 'init', '--initial-branch=main', '--quiet');
  git(source, 'add', '.');
  git(source, 'commit', '--quiet', '--message=Open the shop');
  git(source, 'clone', '--bare', '--quiet', source, bare);
  // Creates the files for clients that only use GET.
  git(bare, 'update-server-info');
  return git(bare, 'rev-parse', 'HEAD').toString().trim();
}
