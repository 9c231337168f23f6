import { developmentAddresses, openListeners } from './addresses.ts';
import { developmentCredentialIn, weakSecrets } from './secrets.ts';
import {
  type ConfigurationOrigin,
  readConfiguration,
  requiredVariables,
  stringsOf,
} from './readConfiguration.ts';

/** One reason why a configuration is not fit for production. */
export interface ProductionFault {
  /** The key in the configuration, e.g. `feedback.publicUrl`. */
  key: string;
  /** The full sentence, which starts with the key. */
  message: string;
}

/**
 * Finds the errors that must prevent a process from starting. In production, these are unset
 * variables, for which development values would apply; development credentials and addresses; and
 * secrets that are weak or used for two purposes. If `nodeEnv` is neither `production` nor
 * `development`, e.g. because of a typo, they are listen addresses that other machines can reach.
 * Reports one error per key.
 *
 * @param options.reads - whether the process uses a key; keys of other processes are not checked.
 * @throws Error if the configuration cannot be read.
 */
export async function findProductionFaults(
  options: ConfigurationOrigin & {
    reads: (key: string) => boolean;
    nodeEnv: string | undefined;
  },
): Promise<ProductionFault[]> {
  const { reads, nodeEnv, env } = options;
  if (nodeEnv === 'development') {
    return [];
  }
  const { effective, written, own } = await readConfiguration(options);
  const faults = new Map<string, string>();
  const note = (key: string, text: string) => {
    if (reads(key) && !faults.has(key)) {
      faults.set(key, text);
    }
  };
  if (nodeEnv !== 'production') {
    for (const [key, address] of openListeners(effective)) {
      note(
        key,
        `listens beyond this machine (${address}): NODE_ENV must be production or development, and is ${
          nodeEnv ? `'${nodeEnv}'` : 'not set'
        }`,
      );
    }
    return listed(faults);
  }
  for (const [key, variables] of unsetVariables(written, env)) {
    note(
      key,
      `needs ${variables.join(' and ')}, which ${
        variables.length > 1 ? 'are' : 'is'
      } not set`,
    );
  }
  for (const [key, value] of stringsOf(effective)) {
    const credential = developmentCredentialIn(value);
    if (credential) {
      note(
        key,
        `holds a development credential (${credential}), refused in production`,
      );
    }
  }
  for (const [key, value] of developmentAddresses({ effective, own })) {
    note(key, `holds an address of development (${value})`);
  }
  for (const [key, weakness] of weakSecrets(effective)) {
    note(key, weakness);
  }
  return listed(faults);
}

function listed(faults: ReadonlyMap<string, string>): ProductionFault[] {
  return [...faults].map(([key, text]) => ({ key, message: `${key} ${text}` }));
}

/** Returns the unset variables by the key that requires them; an empty one counts as unset. */
function unsetVariables(
  written: unknown,
  env: NodeJS.ProcessEnv,
): Map<string, string[]> {
  const unset = new Map<string, string[]>();
  for (const { key, variable } of requiredVariables(written)) {
    if (!env[variable]?.trim()) {
      unset.set(key, [...(unset.get(key) ?? []), variable]);
    }
  }
  return unset;
}
