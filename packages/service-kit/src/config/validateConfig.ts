import { isIP } from 'node:net';
import { isAllowedHost, type ProductionFault } from '@slipway/platform-guards';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { type Static, type TObject, Type } from 'typebox';
import { DatabaseConfig } from '../database/openDatabase.ts';
import { ConfigurationError } from '../errors/ServiceError.ts';
import {
  type CommonConfig,
  type CommonDefaults,
  commonConfig,
} from './CommonConfig.ts';

// Values of environment variables are always strings, so they are coerced to other types.
const ajv = new Ajv({
  allErrors: true,
  coerceTypes: true,
  useDefaults: true,
  strict: false,
  // Most configurations are checked once, so optimising the code is not worth it.
  code: { optimize: false },
  // Compiling the meta-schema takes longer than compiling and checking a configuration.
  validateSchema: false,
});

/** Compiled schemas, by their JSON: tests start the same service again and again. */
const checks = new Map<string, ValidateFunction>();

function compile(schema: TObject): ValidateFunction {
  const key = JSON.stringify(schema);
  const check = checks.get(key) ?? ajv.compile(schema);
  checks.set(key, check);
  return check;
}

/**
 * Validates the section of a service and fills in its defaults.
 *
 * @param section - the section as read; not modified.
 * @param options.faults - errors found earlier, reported together with those found here.
 * @throws ConfigurationError listing every error with its full key.
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
  const check = compile(combined);
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

/**
 * Checks whether an error is caused by a known one, i.e. is about the same key or one of its
 * ancestors.
 */
function follows(message: string, known: readonly ProductionFault[]): boolean {
  const [key] = message.split(' ', 1);
  return known.some(
    fault =>
      fault.key.startsWith(key) &&
      /^(?:$|[.[])/.test(fault.key.slice(key.length)),
  );
}

/**
 * Returns only the branch of the union that the section selects, so that errors are few and clear.
 */
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

/** Returns the errors that a schema cannot express. */
function incomplete(config: unknown, configKey: string): string[] {
  const { auth, egress, listen, rateLimit, webhooks } =
    config as Partial<CommonConfig>;
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
  if (Array.isArray(webhooks)) {
    faults.push(...faultsOfWebhooks(`${configKey}.webhooks`, webhooks));
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

/**
 * Returns errors for duplicate ids: deliveries refer to their endpoint by id, so one of two
 * endpoints with the same id would get everything.
 */
function faultsOfWebhooks(
  key: string,
  webhooks: CommonConfig['webhooks'],
): string[] {
  const ids = webhooks.map(({ id }) => id);
  return webhooks.flatMap(({ id, url }, index) => [
    ...(ids.indexOf(id) < index
      ? [`${key}[${index}].id must not be '${id}' again`]
      : []),
    ...(/^https?:/.test(url) && !URL.canParse(url)
      ? [`${key}[${index}].url must be an http or https address`]
      : []),
  ]);
}

/** Formats an error with its full key, e.g. `feedback.listen.port must be integer`. */
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

/** Converts a JSON pointer to a key: `/auth/apiKeys/0/key` becomes `.auth.apiKeys[0].key`. */
function toKey(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('');
}

/**
 * Validates `listen.trustProxy`, a list of addresses and ranges. `true`, which other servers
 * accept, would trust any X-Forwarded-For header and let each caller choose the address that its
 * requests count against.
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
