import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backendProcess } from '@slipway/dev-runner/src/parts.ts';
import { addresses } from '@slipway/e2e/src/addresses.ts';
import { Forge } from '@slipway/e2e/src/Forge.ts';
import { portalEnvironment } from '@slipway/e2e/src/portalEnvironment.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';

const FIXTURES = path.join(__dirname, '../../../../e2e/fixtures');

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
  /** Address of the forge, without a slash at the end. */
  readonly forge: string;
  /** Of the back end, without a slash at the end. */
  readonly origin: string;
  /** Absolute path of the folder from which files may be registered. */
  readonly folder: string;
  readonly #directory: string;
  readonly #process: ServerProcess;
  readonly #forgeServer: Server;

  private constructor(options: {
    origin: string;
    forge: string;
    folder: string;
    directory: string;
    process: ServerProcess;
    forgeServer: Server;
  }) {
    this.origin = options.origin;
    this.forge = options.forge;
    this.folder = options.folder;
    this.#directory = options.directory;
    this.#process = options.process;
    this.#forgeServer = options.forgeServer;
  }

  /**
   * @param configuration - values of app-config.yaml, their keys joined with underscores.
   * @throws Error with the end of the log when it does not come up.
   */
  static async start(
    configuration: Record<string, unknown>,
  ): Promise<ContractPortal> {
    const directory = mkdtempSync(path.join(tmpdir(), 'contract-portal-'));
    const folder = path.join(directory, 'descriptors');
    cpSync(path.join(FIXTURES, 'descriptors'), folder, { recursive: true });
    const [apiPort, ide, app, forgePort] = await findFreePorts(4);
    const own = {
      api: `http://localhost:${apiPort}`,
      ide: `http://localhost:${ide}`,
      portal: `http://localhost:${app}`,
      forge: `https://localhost:${forgePort}`,
    };
    const forge = await Forge.create({
      directory: path.join(directory, 'forge'),
      fixtures: FIXTURES,
    });
    const forgeServer = await forge.listen(forgePort);
    const server = new ServerProcess({
      ...backendProcess,
      env: {
        ...portalEnvironment({
          // The companion services do not run.
          addresses: { ...addresses, ...own },
          stateDirectory: directory,
          caFile: forge.caFile,
          configuration: {
            slipway_rateLimit_enabled: true,
            slipway_catalog_folders: [folder],
            ...configuration,
          },
        }),
        ...backendProcess.env,
      },
    });
    await server.untilReady(`${own.api}/.backstage/health/v1/readiness`);
    return new ContractPortal({
      origin: own.api,
      forge: own.forge,
      folder,
      directory,
      process: server,
      forgeServer,
    });
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
    this.#forgeServer.closeAllConnections();
    this.#forgeServer.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
