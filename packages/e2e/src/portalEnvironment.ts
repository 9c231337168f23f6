import { compileCacheDirectory } from '@slipway/dev-runner/src/layout.ts';

/** Where the parts of a platform under test answer, without trailing slashes. */
export interface PlatformAddresses {
  portal: string;
  api: string;
  ide: string;
  forge: string;
  spaceMetrics: string;
  buildServer: string;
  featureFlags: string;
  analytics: string;
  feedback: string;
  designSite: string;
}

/** A platform beside that of development. */
export interface PortalEnvironmentOptions {
  addresses: PlatformAddresses;
  /** Absolute path of a directory for all of its state. */
  stateDirectory: string;
  /** Certificate authority of the forge. */
  caFile: string;
  /** Further values of app-config.yaml, their keys joined with underscores. */
  configuration?: Record<string, unknown>;
}

/** The environment of a portal on ports and state of its own, as Backstage reads configuration from it. */
export function portalEnvironment(
  options: PortalEnvironmentOptions,
): NodeJS.ProcessEnv {
  const { addresses, stateDirectory } = options;
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
    // Tests and benchmarks ask faster than people may.
    slipway_rateLimit_enabled: false,
    ideLauncher_gateway_urlTemplate: `${addresses.ide}/w/{workspace}/`,
    ideLauncher_gateway_listen_port: portOf(addresses.ide),
    ideLauncher_local_dataDirectory: `${stateDirectory}/ide-launcher`,
    spaceMetrics_listen_port: portOf(addresses.spaceMetrics),
    // As in production.
    spaceMetrics_privacy_minimumGroupSize: 5,
    spaceMetrics_database_client: 'better-sqlite3',
    spaceMetrics_database_connection_filename: `${stateDirectory}/space-metrics/db.sqlite`,
    buildServer_listen_port: portOf(addresses.buildServer),
    buildServer_dataDirectory: `${stateDirectory}/build-server`,
    buildServer_database_client: 'better-sqlite3',
    buildServer_database_connection_filename: `${stateDirectory}/build-server/db.sqlite`,
    buildServer_spaceMetrics_baseUrl: addresses.spaceMetrics,
    slipway_flags_url: `${addresses.featureFlags}/api`,
    featureFlags_listen_port: portOf(addresses.featureFlags),
    featureFlags_database_client: 'better-sqlite3',
    featureFlags_database_connection_filename: `${stateDirectory}/feature-flags/db.sqlite`,
    app_analytics_slipway_host: addresses.analytics,
    analytics_listen_port: portOf(addresses.analytics),
    analytics_database_client: 'better-sqlite3',
    analytics_database_connection_filename: `${stateDirectory}/analytics/db.sqlite`,
    analytics_events_directory: `${stateDirectory}/analytics`,
    designSite_listen_port: portOf(addresses.designSite),
    feedback_listen_port: portOf(addresses.feedback),
    feedback_rateLimit_enabled: false,
    feedback_database_client: 'better-sqlite3',
    feedback_database_connection_filename: `${stateDirectory}/feedback/db.sqlite`,
    proxy_endpoints: {
      '/build-server': { target: addresses.buildServer },
      '/space-metrics': { target: addresses.spaceMetrics },
      '/feature-flags': { target: addresses.featureFlags },
      '/analytics': { target: addresses.analytics },
      '/feedback': { target: addresses.feedback },
    },
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

function portOf(address: string): number {
  return Number(new URL(address).port);
}
