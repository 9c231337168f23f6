import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { backendProcess } from '@slipway/dev-runner/src/parts.ts';
import { Forge } from '@slipway/e2e/src/Forge.ts';
import {
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

/** Processes of the platform that can be attacked. */
export type ProcessName =
  | 'portal'
  | 'analytics'
  | 'build-server'
  | 'design-site'
  | 'feature-flags'
  | 'feedback'
  | 'space-metrics';

/** A process of the platform, with a probe inside. */
export interface RunningProcess {
  readonly name: ProcessName;
  /** Without a slash at the end. */
  readonly origin: string;
  readonly probe: Probe;
}

interface Started extends RunningProcess {
  readonly server: ServerProcess;
}

/** The platform as `yarn dev` runs it, without its pages: on free ports, with state of its own. */
export class Platform {
  readonly addresses: PlatformAddresses;
  /** Absolute path of all that the processes keep. */
  readonly directory: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #forge: Server;
  readonly #running = new Map<ProcessName, Started>();

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
   * Makes a platform of which nothing runs yet.
   *
   * @param configuration - values of app-config.yaml, their keys joined with underscores.
   */
  static async create(
    configuration: Record<string, unknown>,
  ): Promise<Platform> {
    const directory = mkdtempSync(path.join(tmpdir(), 'slipway-fuzz-'));
    const ports = await findFreePorts(10);
    const at = ports.map(port => `http://localhost:${port}`);
    const addresses = {
      portal: at[0],
      api: at[1],
      ide: at[2],
      forge: at[3].replace('http:', 'https:'),
      spaceMetrics: at[4],
      buildServer: at[5],
      featureFlags: at[6],
      analytics: at[7],
      feedback: at[8],
      designSite: at[9],
    };
    const forge = await Forge.create({
      directory: path.join(directory, 'forge'),
      fixtures,
    });
    const state = path.join(directory, 'state');
    mkdirSync(state);
    return new Platform({
      addresses,
      directory,
      forge: await forge.listen(ports[3]),
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
   * Starts a process, unless it runs already.
   *
   * @throws Error with the end of its log when it does not come up.
   */
  async start(name: ProcessName): Promise<RunningProcess> {
    const running = this.#running.get(name);
    if (running) {
      return running;
    }
    const [probePort] = await findFreePorts(1);
    const origin = originOf(name, this.addresses);
    const { command, cwd, ready } = programOf(name);
    const [node, ...args] = command;
    const server = new ServerProcess({
      command: [node, '--import', `${probeScript}?port=${probePort}`, ...args],
      cwd,
      env: {
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

function programOf(name: ProcessName): {
  command: readonly [string, ...string[]];
  cwd: string;
  ready: string;
} {
  return name === 'portal'
    ? { ...backendProcess, ready: '/.backstage/health/v1/readiness' }
    : {
        command: ['node', 'src/main.ts'],
        cwd: `services/${name}`,
        // The design site is ready only once it is built; without it the routes are the same.
        ready: name === 'design-site' ? '/health' : '/ready',
      };
}

function originOf(name: ProcessName, addresses: PlatformAddresses): string {
  const origins: Record<ProcessName, string> = {
    portal: addresses.api,
    analytics: addresses.analytics,
    'build-server': addresses.buildServer,
    'design-site': addresses.designSite,
    'feature-flags': addresses.featureFlags,
    feedback: addresses.feedback,
    'space-metrics': addresses.spaceMetrics,
  };
  return origins[name];
}
