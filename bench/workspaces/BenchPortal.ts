import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:https';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { backendProcess } from '@slipway/dev-runner/src/parts.ts';
import { Forge } from '@slipway/e2e/src/Forge.ts';
import {
  findFreeAddresses,
  portalEnvironment,
  type PlatformAddresses,
} from '@slipway/e2e/src/portalEnvironment.ts';
import { WorkspaceApi } from '@slipway/e2e/src/WorkspaceApi.ts';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';

const TOKENS = { bench: 'bench-token', crowd: 'crowd-token' };

/** Owner of the workspaces that only exist to measure lists. */
export const CROWD_SUBJECT = 'bench-crowd';

/** Address of the forge in the fixtures of the end-to-end tests. */
const FIXTURE_FORGE = 'https://localhost:18443';

const fixtures = fileURLToPath(
  new URL('../../packages/e2e/fixtures', import.meta.url),
);

interface BenchPortalParts {
  addresses: PlatformAddresses;
  directory: string;
  caFile: string;
  forge: Server;
}

/** The portal's backend on free ports, with its own state and a forge. */
export class BenchPortal {
  readonly api: WorkspaceApi;
  readonly crowdToken = TOKENS.crowd;
  readonly #parts: BenchPortalParts;
  readonly #backend: ServerProcess;

  private constructor(portal: BenchPortalParts) {
    this.#parts = portal;
    this.api = new WorkspaceApi({
      api: portal.addresses.api,
      token: TOKENS.bench,
    });
    this.#backend = new ServerProcess({
      ...backendProcess,
      env: {
        ...portalEnvironment({
          addresses: portal.addresses,
          stateDirectory: portal.directory,
          caFile: portal.caFile,
          configuration: {
            backend_auth_externalAccess: [
              { token: TOKENS.bench, subject: 'bench' },
              { token: TOKENS.crowd, subject: CROWD_SUBJECT },
            ].map(options => ({ type: 'static', options })),
          },
        }),
        ...backendProcess.env,
      },
    });
  }

  /**
   * @param directory - empty directory for all files.
   * @throws Error with the end of the backend's log if it does not start.
   */
  static async start(directory: string): Promise<BenchPortal> {
    const addresses = await findFreeAddresses();
    const forge = await Forge.create({
      directory: path.join(directory, 'forge'),
      fixtures: movedFixtures(directory, addresses.forge),
    });
    const portal = new BenchPortal({
      addresses,
      directory,
      caFile: forge.caFile,
      forge: await forge.listen(Number(new URL(addresses.forge).port)),
    });
    await portal.#backend.untilReady(
      `${addresses.api}/.backstage/health/v1/readiness`,
    );
    return portal;
  }

  get addresses(): PlatformAddresses {
    return this.#parts.addresses;
  }

  /** File with the certificate authority of the forge. */
  get caFile(): string {
    return this.#parts.caFile;
  }

  get devfileUrl(): string {
    return `${this.addresses.forge}/devfile.yaml`;
  }

  get repository(): string {
    return `${this.addresses.forge}/shop.git`;
  }

  /** The directory in which the runtime stores workspaces. */
  get dataDirectory(): string {
    return path.join(this.#parts.directory, 'ide-launcher');
  }

  /** The SQLite file of the plugin. */
  get databaseFile(): string {
    return path.join(this.#parts.directory, 'portal', 'ide-launcher.sqlite');
  }

  async stop(): Promise<void> {
    await this.#backend.stop();
    this.#parts.forge.closeAllConnections();
    this.#parts.forge.close();
  }
}

/** Copies the fixtures of the end-to-end tests, with this forge's address. @returns the directory. */
function movedFixtures(directory: string, forge: string): string {
  const copy = path.join(directory, 'fixtures');
  cpSync(fixtures, copy, { recursive: true });
  const devfile = path.join(copy, 'devfile.yaml');
  const text = readFileSync(devfile, 'utf8');
  writeFileSync(devfile, text.replaceAll(FIXTURE_FORGE, forge));
  return copy;
}
