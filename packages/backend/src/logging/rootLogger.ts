import {
  WinstonLogger,
  type WinstonLoggerLevelOverride,
} from '@backstage/backend-defaults/rootLogger';
import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import secretPaths from './secretPaths.json';

/** The levels of the log, most severe first. */
const LEVELS = ['error', 'warn', 'info', 'http', 'verbose', 'debug', 'silly'];

/**
 * Creates Backstage's logger with the same configuration. Backstage determines the secrets to
 * redact from the configuration schemas of all packages, for which it loads the TypeScript compiler
 * at each start: three seconds of CPU time and almost 200 MiB (docs/adr/0083).
 */
export const rootLoggerFactory = createServiceFactory({
  service: coreServices.rootLogger,
  deps: { config: coreServices.rootConfig },
  factory({ config }) {
    const logger = WinstonLogger.create({
      meta: {
        service: 'backstage',
        ...config.getOptional<Record<string, string>>('backend.logger.meta'),
      },
      level: config.getOptionalString('backend.logger.level'),
    });
    const apply = () => {
      logger.addRedactions(secretsOf(config.getOptional() ?? {}));
      logger.setLevelOverrides(
        checked(config.getOptional('backend.logger.overrides')),
      );
    };
    apply();
    config.subscribe?.(apply);
    return logger;
  },
});

/**
 * Checks the levels of overrides.
 *
 * @throws Error if a level does not exist.
 */
function checked(
  overrides: WinstonLoggerLevelOverride[] = [],
): WinstonLoggerLevelOverride[] {
  for (const { level } of overrides) {
    if (!LEVELS.includes(level)) {
      throw new Error(
        `Invalid config at backend.logger.overrides: '${level}' is no level; use one of ${LEVELS.join(', ')}`,
      );
    }
  }
  return overrides;
}

/** Returns the secrets in a configuration, which must be redacted in the log. */
export function secretsOf(config: unknown): Set<string> {
  const secrets = new Set<string>();
  for (const path of secretPaths) {
    collect(config, path.split('.'), secrets);
  }
  return secrets;
}

/**
 * Adds the values at a path, in which `*` matches every key or index and a final `**` everything
 * below.
 */
function collect(
  value: unknown,
  [key, ...rest]: readonly string[],
  secrets: Set<string>,
): void {
  if (key === undefined) {
    // A list of secrets, or a single one.
    for (const each of [value].flat()) {
      // YAML parses a secret of digits as a number.
      if (typeof each === 'string' || typeof each === 'number') {
        secrets.add(String(each));
      }
    }
  } else if (key === '**') {
    JSON.stringify(value, (_, each: unknown) => {
      collect(each, [], secrets);
      return each;
    });
  } else if (typeof value === 'object' && value !== null) {
    Object.entries(value)
      .filter(([name]) => key === '*' || key === name)
      .forEach(([, child]) => collect(child, rest, secrets));
  }
}
