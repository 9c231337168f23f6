import { isAllowedHost } from '@slipway/platform-guards';
import type { ProductionFault } from '@slipway/platform-guards';
import { Ajv } from 'ajv';
import { type Static, type TObject, Type } from 'typebox';
import { DatabaseConfig } from '../database/DatabaseConfig.ts';
import {
  type CommonConfig,
  type CommonDefaults,
  commonConfig,
} from './CommonConfig.ts';
import { ConfigurationError } from './ConfigurationError.ts';
import { describeFault } from './describeFault.ts';
import { faultsOfTrustProxy } from './trustProxy.ts';

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
