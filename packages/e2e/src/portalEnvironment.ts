import {
  compileCacheDirectory,
  repositoryRoot,
} from '@slipway/dev-runner/src/layout.ts';
import {
  readServices,
  type ServiceManifest,
} from '@slipway/dev-runner/src/readAddresses.ts';
import { findFreePorts } from './processes/findFreePorts.ts';

/** Addresses of the parts of a platform under test, without trailing slashes. */
export interface PlatformAddresses {
  portal: string;
  api: string;
  ide: string;
  forge: string;
  /** The companion services, by name. */
  services: Record<string, string>;
}

/** A platform that runs next to that of development. */
export interface PortalEnvironmentOptions {
  addresses: PlatformAddresses;
  /** Absolute path of a directory for its whole state. */
  stateDirectory: string;
  /** File with the certificate authority of the forge. */
  caFile: string;
  /** Additional values of app-config.yaml, with their keys joined by underscores. */
  configuration?: Record<string, unknown>;
}

/**
 * Returns the environment of a portal with separate ports and state; Backstage reads its
 * configuration from it.
 */
export function portalEnvironment(
  options: PortalEnvironmentOptions,
): NodeJS.ProcessEnv {
  const { addresses, stateDirectory } = options;
  const services = readServices(repositoryRoot);
  const configuration = {
    app_baseUrl: addresses.portal,
    backend_baseUrl: addresses.api,
    backend_listen_port: portOf(addresses.api),
    backend_cors_origin: addresses.portal,
    backend_database_connection_directory: `${stateDirectory}/portal`,
    backend_reading_allow: [{ host: new URL(addresses.forge).host }],
    catalog_locations: [
      {
        type: 'file',
        target: '../../catalog-info.yaml',
        rules: [{ allow: ['User', 'Group'] }],
      },
      { type: 'url', target: `${addresses.forge}/catalog-info.yaml` },
    ],
    // Tests and benchmarks send more requests than people may.
    slipway_rateLimit_enabled: false,
    ideLauncher_gateway_urlTemplate: `${addresses.ide}/w/{workspace}/`,
    ideLauncher_gateway_listen_port: portOf(addresses.ide),
    ideLauncher_local_dataDirectory: `${stateDirectory}/ide-launcher`,
    ...Object.fromEntries(
      services.flatMap(service => Object.entries(ownState(service, options))),
    ),
    // As in production.
    spaceMetrics_privacy_minimumGroupSize: 5,
    buildServer_spaceMetrics_baseUrl: addresses.services['space-metrics'],
    featureFlags_builds_url: addresses.services['build-server'],
    analytics_flags_url: addresses.services['feature-flags'],
    slipway_flags_url: `${addresses.services['feature-flags']}/api`,
    app_analytics_slipway_host: addresses.services.analytics,
    feedback_rateLimit_enabled: false,
    proxy_endpoints: Object.fromEntries(
      services
        .filter(({ proxied }) => proxied)
        .map(({ name }) => [`/${name}`, { target: addresses.services[name] }]),
    ),
    ...options.configuration,
  };
  return {
    NODE_COMPILE_CACHE: compileCacheDirectory,
    ...process.env,
    NO_COLOR: '1',
    NODE_EXTRA_CA_CERTS: options.caFile,
    ...Object.fromEntries(
      Object.entries(configuration).map(([key, value]) => [
        `APP_CONFIG_${key}`,
        JSON.stringify(value),
      ]),
    ),
  };
}

/** Returns the configuration of a service with its own port, database and directories. */
function ownState(
  { name, configKey, stateFolders }: ServiceManifest,
  { addresses, stateDirectory }: PortalEnvironmentOptions,
): Record<string, unknown> {
  const folder = `${stateDirectory}/${name}`;
  const database = `${configKey}_database`;
  return {
    [`${configKey}_listen_port`]: portOf(addresses.services[name]),
    [`${database}_client`]: 'better-sqlite3',
    [`${database}_connection_filename`]: `${folder}/db.sqlite`,
    ...Object.fromEntries(
      stateFolders.map(key => [
        `${configKey}_${key.replaceAll('.', '_')}`,
        folder,
      ]),
    ),
  };
}

/** Finds a free port for each part of a platform. */
export async function findFreeAddresses(): Promise<PlatformAddresses> {
  const services = readServices(repositoryRoot);
  const free = await findFreePorts(4 + services.length);
  const [portal, api, ide, forge, ...rest] = free;
  return {
    portal: `http://localhost:${portal}`,
    api: `http://localhost:${api}`,
    ide: `http://localhost:${ide}`,
    forge: `https://localhost:${forge}`,
    services: Object.fromEntries(
      services.map(({ name }, index) => [
        name,
        `http://localhost:${rest[index]}`,
      ]),
    ),
  };
}

function portOf(address: string): number {
  return Number(new URL(address).port);
}
