import { ConfigSources } from '@backstage/config-loader';

/** The sources of the configuration of a service. */
export interface ConfigurationOrigin {
  /** Top-level key of its section. */
  configKey: string;
  /** Directory of `app-config.yaml`. */
  root: string;
  argv: string[];
  env: NodeJS.ProcessEnv;
}

/**
 * Reads the section of a service as the portal's back end reads its own: from
 * `app-config.yaml` and `app-config.local.yaml` in the root, or the files of
 * `--config`, with `APP_CONFIG_…` variables over both. The addresses of the portal
 * come along as `portal`, unless the section has its own.
 */
export async function readSection(
  origin: ConfigurationOrigin,
): Promise<Record<string, unknown>> {
  const { configKey, root, argv, env } = origin;
  const config = await ConfigSources.toConfig(
    ConfigSources.default({
      rootDir: root,
      argv,
      env,
      substitutionFunc: async name => env[name],
      watch: false,
    }),
  );
  try {
    const section =
      config.getOptional<Record<string, unknown>>(configKey) ?? {};
    const baseUrl = config.getOptionalString('backend.baseUrl');
    const appUrl = config.getOptionalString('app.baseUrl');
    return {
      ...section,
      portal: {
        ...(baseUrl && { baseUrl }),
        ...(appUrl && { appUrl }),
        ...(section.portal as Record<string, unknown> | undefined),
      },
    };
  } finally {
    config.close();
  }
}
