import { isIP } from 'node:net';
import { isAllowedHost, type ProductionFault } from '@slipway/platform-guards';
import { Ajv, type ErrorObject } from 'ajv';
import { type Static, type TObject, Type } from 'typebox';
import { DatabaseConfig } from '../database/openDatabase.ts';
import {
  type CommonConfig,
  type CommonDefaults,
  commonConfig,
} from './CommonConfig.ts';

/** The configuration is not valid; says every fault at once, one a line. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      faults.length === 1
        ? `The configuration has an error: ${faults[0]}`
        : `The configuration has ${faults.length} errors:\n${faults
            .map(fault => `  ${fault}`)
            .join('\n')}`,
    );
    this.faults = faults;
  }
}

/**
 * Checks the section of a service and fills in its defaults.
 *
 * @param section - as it was read; not changed.
 * @param options.faults - found in it before, to be told along with those found here.
 * @throws ConfigurationError naming every fault by its full key.
 */
export function validateConfig<S extends TObject>(
  section: unknown,
  options: {
    configKey: string;
    schema: S;
    common: CommonDefaults;
    faults?: readonly ProductionFault[];
  },
): Static<S> & CommonConfig {
  const { configKey, schema, common, faults: known = [] } = options;
  const config: unknown = structuredClone(section ?? {});
  const combined = Type.Object(
    {
      ...commonConfig(common).properties,
      ...schema.properties,
      database: databaseSchema(config, common),
    },
    { additionalProperties: false },
  );
  // Values that come from the environment are strings, whatever they stand for.
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: true,
    useDefaults: true,
    strict: false,
  });
  const check = ajv.compile(combined);
  const found = check(config)
    ? []
    : (check.errors ?? []).map(error => describeFault(configKey, error));
  found.push(...incomplete(config, configKey));
  const faults = [
    ...known.map(({ message }) => message),
    ...found.filter(message => !follows(message, known)),
  ];
  if (faults.length > 0) {
    throw new ConfigurationError(faults);
  }
  return config as Static<S> & CommonConfig;
}

/** Tells whether a fault comes of a known one: of its key, or of what the key is in. */
function follows(message: string, known: readonly ProductionFault[]): boolean {
  const [key] = message.split(' ', 1);
  return known.some(
    fault =>
      fault.key.startsWith(key) &&
      /^(?:$|[.[])/.test(fault.key.slice(key.length)),
  );
}

/** The branch of the union that the section means, so that its faults are few and clear. */
function databaseSchema(config: unknown, common: CommonDefaults) {
  const full = commonConfig(common).properties.database;
  const { database } = (config ?? {}) as { database?: { client?: unknown } };
  const branch = DatabaseConfig.anyOf.find(
    ({ properties }) => properties.client.const === database?.client,
  );
  if (branch) {
    return branch;
  }
  return database
    ? Type.Object({
        client: Type.String({
          enum: DatabaseConfig.anyOf.map(each => each.properties.client.const),
        }),
      })
    : full;
}

/** What a schema cannot say. */
function incomplete(config: unknown, configKey: string): string[] {
  const { auth, egress, listen, rateLimit } = config as Partial<CommonConfig>;
  const faults = faultsOfTrustProxy(
    `${configKey}.listen.trustProxy`,
    listen?.trustProxy,
  );
  if (Array.isArray(auth?.apiKeys)) {
    auth.apiKeys.forEach(({ key, sha256 }, index) => {
      if ((key === undefined) === (sha256 === undefined)) {
        faults.push(
          `${configKey}.auth.apiKeys[${index}] must have key or sha256, one of the two`,
        );
      }
    });
  }
  if (Array.isArray(egress?.allowedHosts)) {
    egress.allowedHosts.forEach((host, index) => {
      if (!isAllowedHost(host)) {
        faults.push(
          `${configKey}.egress.allowedHosts[${index}] must be a host name, an address or a range`,
        );
      }
    });
  }
  if (rateLimit?.store === 'redis' && !rateLimit.redis) {
    faults.push(
      `${configKey}.rateLimit.redis is required with the store redis`,
    );
  }
  return faults;
}

/** One fault of a configuration, by its full key, e.g. `feedback.listen.port must be integer`. */
function describeFault(configKey: string, error: ErrorObject): string {
  const { keyword, instancePath, params, message } = error;
  const key = configKey + toKey(instancePath);
  if (keyword === 'required') {
    return `${key}.${params.missingProperty} is required`;
  }
  if (keyword === 'additionalProperties') {
    return `${key}.${params.additionalProperty} is not a known key`;
  }
  if (keyword === 'enum') {
    return `${key} must be one of ${params.allowedValues.join(', ')}`;
  }
  if (keyword === 'const') {
    return `${key} must be ${params.allowedValue}`;
  }
  return `${key} ${message ?? 'is not valid'}`;
}

/** `/auth/apiKeys/0/key` becomes `.auth.apiKeys[0].key`. */
function toKey(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('');
}

/**
 * Says what is wrong with `listen.trustProxy`, a list of addresses and ranges. `true`, as
 * other servers have it, would believe whatever a caller writes into X-Forwarded-For, and
 * with it let each choose the address that its requests count against.
 */
export function faultsOfTrustProxy(key: string, value: unknown): string[] {
  if (!Array.isArray(value)) {
    return [
      `${key} must list the addresses or ranges of your reverse proxies, e.g. [10.0.0.0/8]: they determine the address of callers, so true and a number of proxies are not accepted`,
    ];
  }
  return value.flatMap((entry, index) =>
    isNetwork(entry)
      ? []
      : [
          `${key}[${index}] must be the address or the range of a reverse proxy, e.g. 10.0.0.0/8, and not all addresses`,
        ],
  );
}

function isNetwork(entry: unknown): boolean {
  if (typeof entry !== 'string') {
    return false;
  }
  const [address, prefix = '1'] = entry.split('/');
  return isIP(address) !== 0 && isAllowedHost(entry) && Number(prefix) > 0;
}
