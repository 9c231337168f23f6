import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigSources } from '@backstage/config-loader';

/** A companion service as described by the `slipway` member of its package.json. */
export interface ServiceManifest {
  /** Name of its directory in `services` and, with the scope, of its package. */
  name: string;
  /** Top-level key of its configuration section: the name in camel case. */
  configKey: string;
  title: string;
  /** The port that it listens on unless its section sets another. */
  port: number;
  /** True if pages of the portal call it through the portal's proxy. */
  proxied: boolean;
  /** Instructions to call it in development, in a few words. */
  signIn: string;
  /** Dotted keys of its section that name state directories besides its database. */
  stateFolders: readonly string[];
}

/**
 * Reads the metadata of the services in a repository, in the order of their names.
 *
 * @throws Error naming the package.json that lacks required metadata.
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
      const configKey = toCamelCase(name);
      return { name, configKey, title, port, proxied, signIn, stateFolders };
    });
}

/** Returns the name of a service as a key of the configuration: `build-server` is `buildServer`. */
export function toCamelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The configured addresses of the platform; URLs without a trailing slash. */
export interface PlatformAddresses {
  /** The portal's pages. */
  portal: string;
  /** The portal's API, without `/api`. */
  api: string;
  /** The address through which browsers reach IDEs. */
  ide: string;
  /** The companion services and their addresses. */
  services: readonly (ServiceManifest & { url: string })[];
  /** The ports that the two listen on, which may differ from those of their URLs. */
  apiPort: number;
  idePort: number;
}

/**
 * Reads the addresses from the same sources as the parts themselves: `app-config.yaml`,
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

/** Returns the port of a URL, explicit or implied by its protocol. */
export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}
