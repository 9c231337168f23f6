import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigSources } from '@backstage/config-loader';

/** A companion service, as the key `slipway` of its package.json describes it. */
export interface ServiceManifest {
  /** Name of its folder in `services` and, with the scope, of its package. */
  name: string;
  /** Top-level key of its section of the configuration: the name in camel case. */
  configKey: string;
  title: string;
  /** The port that it listens on unless its section names another. */
  port: number;
  /** True when pages of the portal call it through the portal's proxy. */
  proxied: boolean;
  /** How to call it in development, in a few words. */
  signIn: string;
  /** Keys of its section, with dots, that name folders of state beside its database. */
  stateFolders: readonly string[];
}

/**
 * Reads how the services of a repository describe themselves, in the order of their names.
 *
 * @throws Error naming the package.json that does not say what the platform needs.
 */
export function readServices(root: string): ServiceManifest[] {
  return globSync('services/*/package.json', { cwd: root })
    .sort()
    .map(file => {
      const { slipway = {} }: { slipway?: Partial<ServiceManifest> } =
        JSON.parse(readFileSync(path.join(root, file), 'utf8'));
      const {
        title,
        port,
        proxied = false,
        signIn,
        stateFolders = [],
      } = slipway;
      if (!title || !port || !signIn) {
        throw new Error(
          `${file} needs a title, a port and signIn under the key slipway`,
        );
      }
      const name = path.basename(path.dirname(file));
      const configKey = name.replace(/-(.)/g, (_, letter: string) =>
        letter.toUpperCase(),
      );
      return { name, configKey, title, port, proxied, signIn, stateFolders };
    });
}

/** The addresses of the platform as configured; URLs without a trailing slash. */
export interface PlatformAddresses {
  /** The portal's pages. */
  portal: string;
  /** The portal's API, without `/api`. */
  api: string;
  /** What browsers reach IDEs through. */
  ide: string;
  /** The companion services, each with where it listens. */
  services: readonly (ServiceManifest & { url: string })[];
  /** The ports that the two listen on, which need not be those of their URLs. */
  apiPort: number;
  idePort: number;
}

/**
 * Reads the addresses as the parts themselves will: from `app-config.yaml`,
 * `app-config.local.yaml` and `APP_CONFIG_…` variables.
 *
 * @param options.root - absolute path of the repository.
 */
export async function readAddresses(options: {
  root: string;
  env: NodeJS.ProcessEnv;
}): Promise<PlatformAddresses> {
  const config = await ConfigSources.toConfig(
    ConfigSources.default({
      rootDir: options.root,
      argv: [],
      env: options.env,
      watch: false,
    }),
  );
  const api = new URL(config.getString('backend.baseUrl'));
  const ide = new URL(
    config
      .getString('ideLauncher.gateway.urlTemplate')
      .replace('{workspace}', 'workspace'),
  );
  const addresses = {
    portal: new URL(config.getString('app.baseUrl')).origin,
    api: api.origin,
    ide: ide.origin,
    services: readServices(options.root).map(service => ({
      ...service,
      url: `http://localhost:${
        config.getOptionalNumber(`${service.configKey}.listen.port`) ??
        service.port
      }`,
    })),
    apiPort: config.getOptionalNumber('backend.listen.port') ?? portOf(api),
    idePort:
      config.getOptionalNumber('ideLauncher.gateway.listen.port') ??
      portOf(ide),
  };
  config.close();
  return addresses;
}

/** The port of a URL, said or implied by its protocol. */
export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}
