import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';

/** The plugins of a new Backstage app that are also installed in this repository. */
const PLUGINS = [
  'api-docs',
  'catalog',
  'catalog-graph',
  'catalog-import',
  'home',
  'notifications',
  'org',
  'search',
  'signals',
  'user-settings',
];
const SOURCE = `import '@backstage/cli/asset-types';
import '@backstage/ui/css/styles.css';
import { createApp } from '@backstage/frontend-defaults';
import ReactDOM from 'react-dom/client';

ReactDOM.createRoot(document.getElementById('root')).render(createApp().createRoot());
`;
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
/** The Brotli quality with which Express compresses responses. */
const QUALITY = 4;

/**
 * An unmodified Backstage app of the same release, built from the packages of this repository, with the
 * default pages and guest sign-in. It is served as Backstage's own backend would, and uses the backend
 * of the measured platform.
 */
export class StockApp {
  readonly #directory: string;
  readonly #port: number;
  #server: Server | undefined;

  /** @param options.directory - absolute path inside the repository, where packages are found. */
  constructor(options: { directory: string; port: number }) {
    this.#directory = options.directory;
    this.#port = options.port;
  }

  get url(): string {
    return `http://localhost:${this.#port}`;
  }

  /** Builds the app. @throws Error with the output of the build. */
  async build(): Promise<void> {
    const own = JSON.parse(
      readFileSync(
        path.join(repositoryRoot, 'packages/app/package.json'),
        'utf8',
      ),
    );
    const write = (file: string, text: string) => {
      mkdirSync(path.dirname(path.join(this.#directory, file)), {
        recursive: true,
      });
      writeFileSync(path.join(this.#directory, file), text);
    };
    write(
      'package.json',
      JSON.stringify({
        // The build finds the configuration schema by the name of a workspace.
        name: own.name,
        version: '0.0.0',
        private: true,
        backstage: { role: 'frontend' },
        bundled: true,
        browserslist: own.browserslist,
        dependencies: Object.fromEntries(
          PLUGINS.map(name => [`@backstage/plugin-${name}`, '*']),
        ),
      }),
    );
    write('src/index.tsx', SOURCE);
    cpSync(
      path.join(repositoryRoot, 'packages/app/public'),
      path.join(this.#directory, 'public'),
      { recursive: true },
    );
    const config = {
      app: { title: 'Stock', baseUrl: this.url, packages: 'all' },
      backend: { baseUrl: this.url },
    };
    write('app-config.yaml', JSON.stringify(config));
    await promisify(execFile)(
      process.execPath,
      [
        path.join(
          repositoryRoot,
          'node_modules/@backstage/cli/bin/backstage-cli',
        ),
        ...['package', 'build', '--config', 'app-config.yaml'],
      ],
      {
        cwd: this.#directory,
        env: { ...process.env, NODE_ENV: 'production' },
        maxBuffer: 64 * 1024 * 1024,
      },
    );
  }

  /** Serves the app; forwards API requests to the backend. */
  async serve(backend: string): Promise<void> {
    const compressed = new Map<string, Buffer>();
    this.#server = createServer((req, res) => {
      const { pathname, search } = new URL(req.url ?? '/', this.url);
      if (pathname.startsWith('/api/')) {
        // Replaces guest sign-in by the platform's sign-in of a user without a password.
        const target = pathname.startsWith('/api/auth/guest/refresh')
          ? `${backend}/api/auth/dev/refresh?user=grace`
          : `${backend}${pathname}${search}`;
        const { method, headers } = req;
        const forwarded = request(target, { method, headers }, answer => {
          res.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(res);
        });
        forwarded.once('error', () => res.destroy());
        req.pipe(forwarded);
        return;
      }
      const isPage = path.extname(pathname) === '';
      const file = isPage ? '/index.html' : pathname;
      try {
        const body =
          compressed.get(file) ??
          compress(path.join(this.#directory, 'dist', file));
        compressed.set(file, body);
        res
          .writeHead(200, {
            'content-type':
              TYPES[path.extname(file)] ?? 'application/octet-stream',
            'content-encoding': 'br',
          })
          .end(body);
      } catch {
        res.writeHead(404).end();
      }
    });
    await new Promise<void>(resolve => {
      this.#server?.listen(this.#port, '127.0.0.1', resolve);
    });
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}

function compress(file: string): Buffer {
  return brotliCompressSync(readFileSync(file), {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
  });
}
