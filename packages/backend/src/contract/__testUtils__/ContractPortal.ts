import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { backendProcess } from '@slipway/dev-runner/src/parts.ts';
import { addresses } from '@slipway/e2e/src/addresses.ts';
import { portalEnvironment } from '@slipway/e2e/src/portalEnvironment.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';
import { TestForge } from './TestForge';

/** A request as a client sends it. */
export interface Ask {
  method?: string;
  token?: string;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  contentType?: string;
}

/** An answer as a client sees it. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, else the text. */
  body: unknown;
}

/**
 * The portal's back end as it runs, a process on free ports with state of its own,
 * beside a forge to read descriptors and devfiles from. Known through HTTP alone.
 */
export class ContractPortal {
  /** Of the back end, without a slash at the end. */
  readonly origin: string;
  readonly #forge: TestForge;
  readonly #ownsForge: boolean;
  readonly #directory: string;
  readonly #process: ServerProcess;
  /** Of both streams, as it came. */
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
   * @param configuration - values of app-config.yaml, their keys joined with underscores.
   * @param options.beside - another portal, whose forge and folder are this one's too.
   * @throws Error with the end of the log when it does not come up.
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
      // The companion services do not run.
      addresses: { ...addresses, ...own },
      stateDirectory: directory,
      caFile: forge.caFile,
      configuration: {
        slipway_rateLimit_enabled: true,
        slipway_catalog_folders: [forge.folder],
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

  /** Address of the forge, without a slash at the end. */
  get forge(): string {
    return this.#forge.url;
  }

  /** Absolute path of the folder from which files may be registered. */
  get folder(): string {
    return this.#forge.folder;
  }

  /** Lines that it has written since its start: time, plugin, level and text. */
  get log(): string[] {
    return stripVTControlCharacters(this.#output.join('')).split('\n');
  }

  /** Asks a path below `/api`. */
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

  /** Signs in as a user of the development organisation, once the catalog knows them. */
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
