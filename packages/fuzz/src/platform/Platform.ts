import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  backendProcess,
  withSmallHeap,
} from '@slipway/dev-runner/src/parts.ts';
import { Forge } from '@slipway/e2e/src/Forge.ts';
import {
  findFreeAddresses,
  type PlatformAddresses,
  portalEnvironment,
} from '@slipway/e2e/src/portalEnvironment.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';
import { Probe } from './Probe.ts';

const probeScript = new URL('./preloadedProbe.ts', import.meta.url);
const fixtures = fileURLToPath(
  new URL('../../../e2e/fixtures', import.meta.url),
);

/** A process of the platform with a preloaded probe. */
export interface RunningProcess {
  /** `portal`, or the name of a service. */
  readonly name: string;
  /** Without a trailing slash. */
  readonly origin: string;
  readonly probe: Probe;
}

interface Started extends RunningProcess {
  readonly server: ServerProcess;
}

/** Runs the platform like `yarn dev`, but without its pages: on free ports, with separate state. */
export class Platform {
  readonly addresses: PlatformAddresses;
  /** Absolute path of the directory with all state of the processes. */
  readonly directory: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #forge: Server;
  readonly #running = new Map<string, Started>();

  private constructor(options: {
    addresses: PlatformAddresses;
    directory: string;
    env: NodeJS.ProcessEnv;
    forge: Server;
  }) {
    this.addresses = options.addresses;
    this.directory = options.directory;
    this.#env = options.env;
    this.#forge = options.forge;
  }

  /**
   * Creates a platform without starting any part of it.
   *
   * @param configuration - values of app-config.yaml, with their keys joined by underscores.
   */
  static async create(
    configuration: Record<string, unknown>,
  ): Promise<Platform> {
    const directory = mkdtempSync(path.join(tmpdir(), 'slipway-fuzz-'));
    const addresses = await findFreeAddresses();
    const forge = await Forge.create({
      directory: path.join(directory, 'forge'),
      fixtures,
    });
    const state = path.join(directory, 'state');
    mkdirSync(state);
    return new Platform({
      addresses,
      directory,
      forge: await forge.listen(Number(new URL(addresses.forge).port)),
      env: portalEnvironment({
        addresses,
        stateDirectory: state,
        caFile: forge.caFile,
        configuration: {
          slipway_catalog_folders: [path.join(fixtures, 'descriptors')],
          ...configuration,
        },
      }),
    });
  }

  /**
   * Starts a process, unless it is already running.
   *
   * @throws Error with the end of its log if it does not start.
   */
  async start(name: string): Promise<RunningProcess> {
    const running = this.#running.get(name);
    if (running) {
      return running;
    }
    const [probePort] = await findFreePorts(1);
    const { api, services } = this.addresses;
    const origin = name === 'portal' ? api : services[name];
    const { command, cwd, ready } = programOf(name);
    const [node, ...args] = withSmallHeap(command);
    const server = new ServerProcess({
      command: [node, '--import', `${probeScript}?port=${probePort}`, ...args],
      cwd,
      env: {
        // The same memory settings as `yarn dev`, since memory use is measured.
        MALLOC_ARENA_MAX: '1',
        ...this.#env,
        NODE_ENV: 'development',
      },
    });
    const started = { name, origin, probe: new Probe(probePort), server };
    this.#running.set(name, started);
    await server.untilReady(`${origin}${ready}`);
    return started;
  }

  async stop(): Promise<void> {
    await Promise.all(
      [...this.#running.values()].map(({ server }) => server.stop()),
    );
    this.#forge.closeAllConnections();
    this.#forge.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function programOf(name: string): {
  command: readonly [string, ...string[]];
  cwd: string;
  ready: string;
} {
  return name === 'portal'
    ? { ...backendProcess, ready: '/.backstage/health/v1/readiness' }
    : {
        command: ['node', 'src/main.ts'],
        cwd: `services/${name}`,
        // The design site is only ready once it is built, but its routes are the same without the
        // build.
        ready: name === 'design-site' ? '/health' : '/ready',
      };
}
