import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { backendProcess } from '@slipway/dev-runner/src/parts.ts';
import { addresses } from '@slipway/e2e/src/addresses.ts';
import { portalEnvironment } from '@slipway/e2e/src/portalEnvironment.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';
import { TestForge } from './TestForge';

const FAKE_EDITOR = path.join(
  repositoryRoot,
  'plugins/ide-launcher-backend/src/runtimes/local/__fixtures__/fakeEditor.mjs',
);

/** A request sent by a client. */
export interface Ask {
  method?: string;
  token?: string;
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
  contentType?: string;
}

/** A response as seen by a client. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, otherwise the text. */
  body: unknown;
}

/**
 * Runs the portal's backend as a separate process with its own state on free ports, next to a forge
 * that serves descriptors and devfiles. Tests use it only over HTTP.
 */
export class ContractPortal {
  /** The backend's origin, without a trailing slash. */
  readonly origin: string;
  readonly #forge: TestForge;
  readonly #ownsForge: boolean;
  readonly #directory: string;
  readonly #process: ServerProcess;
  /** Output of both streams, unmodified. */
  readonly #output: readonly string[];

  private constructor(options: {
    origin: string;
    forge: TestForge;
    ownsForge: boolean;
    directory: string;
    process: ServerProcess;
    output: readonly string[];
  }) {
    this.origin = options.origin;
    this.#forge = options.forge;
    this.#ownsForge = options.ownsForge;
    this.#directory = options.directory;
    this.#process = options.process;
    this.#output = options.output;
  }

  /**
   * Starts a portal.
   *
   * @param configuration - values of app-config.yaml, with their keys joined by underscores.
   * @param options.beside - another portal, whose forge and directory are shared.
   * @throws Error with the end of the log if it does not start.
   */
  static async start(
    configuration: Record<string, unknown>,
    { beside }: { beside?: ContractPortal } = {},
  ): Promise<ContractPortal> {
    const forge = beside ? beside.#forge : await TestForge.start();
    const directory = mkdtempSync(path.join(tmpdir(), 'contract-portal-'));
    const [apiPort, ide, app] = await findFreePorts(3);
    const own = {
      api: `http://localhost:${apiPort}`,
      ide: `http://localhost:${ide}`,
      portal: `http://localhost:${app}`,
      forge: forge.url,
    };
    const environment = portalEnvironment({
      // The companion services are not running.
      addresses: { ...addresses, ...own },
      stateDirectory: directory,
      caFile: forge.caFile,
      configuration: {
        slipway_rateLimit_enabled: true,
        slipway_catalog_folders: [forge.folder],
        // No test opens pages: without this, each start spends two seconds copying them to the
        // database.
        app_disableStaticFallbackCache: true,
        // No test opens workspaces: each start of a real editor takes seconds of CPU time.
        ideLauncher_local_editor_command: [
          process.execPath,
          FAKE_EDITOR,
          '--socket',
          '{socket}',
        ],
        ...configuration,
      },
    });
    const output: string[] = [];
    const server = new ServerProcess({
      ...backendProcess,
      env: { ...environment, ...backendProcess.env },
      onOutput: chunk => output.push(chunk),
    });
    await server.untilReady(`${own.api}/.backstage/health/v1/readiness`);
    return new ContractPortal({
      origin: own.api,
      forge,
      ownsForge: !beside,
      directory,
      process: server,
      output,
    });
  }

  /** Address of the forge, without a trailing slash. */
  get forge(): string {
    return this.#forge.url;
  }

  /** Absolute path of the directory from which files may be registered. */
  get folder(): string {
    return this.#forge.folder;
  }

  /** Returns the absolute path of the SQLite database of a plugin. */
  databaseOf(pluginId: string): string {
    return path.join(this.#directory, 'portal', `${pluginId}.sqlite`);
  }

  /** The lines logged since the start, each with time, plugin, level and text. */
  get log(): string[] {
    return stripVTControlCharacters(this.#output.join('')).split('\n');
  }

  /** Sends a request to a path below `/api`. */
  async ask(target: string, options: Ask = {}): Promise<Answer> {
    const { method = 'GET', token, body, contentType } = options;
    const headers = new Headers();
    if (token !== undefined) {
      headers.set('Authorization', `Bearer ${token}`);
    }
    if (body !== undefined) {
      headers.set('Content-Type', contentType ?? 'application/json');
    }
    const response = await fetch(`${this.origin}/api${target}`, {
      method,
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    };
  }

  /** Signs in as a user of the development organisation, once the catalog contains it. */
  async signIn(user: string): Promise<string> {
    return vi.waitFor(
      async () => {
        const { status, body } = await this.ask(
          `/auth/dev/refresh?user=${user}`,
        );
        if (status !== 200) {
          throw new Error(`${user} cannot sign in yet: ${status}`);
        }
        return (body as { backstageIdentity: { token: string } })
          .backstageIdentity.token;
      },
      { timeout: 60_000, interval: 500 },
    );
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    if (this.#ownsForge) {
      this.#forge.stop();
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
