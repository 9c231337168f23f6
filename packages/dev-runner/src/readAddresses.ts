import { ConfigSources } from '@backstage/config-loader';
import { readServices, type ServiceManifest } from './readServices.ts';

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
