import { developmentAddresses } from './developmentAddresses.ts';
import { developmentCredentialIn } from './developmentCredentials.ts';
import {
  type ConfigurationOrigin,
  readConfiguration,
} from './readConfiguration.ts';
import { stringsOf } from './stringsOf.ts';
import { requiredVariables } from './variables.ts';

/** Why a configuration does not do for production. */
export interface ProductionFault {
  /** Of the configuration, e.g. `feedback.publicUrl`. */
  key: string;
  /** The whole sentence, which begins with the key. */
  message: string;
}

/**
 * Finds what keeps a process from running in production: variables that are not set, so
 * that values of development would show through; credentials of development; addresses of
 * development. One fault for each key.
 *
 * @param options.reads - whether the process uses a key; what others use is theirs to check.
 * @param options.nodeEnv - anything but `production` has no faults.
 * @throws Error when the configuration cannot be read.
 */
export async function findProductionFaults(
  options: ConfigurationOrigin & {
    reads: (key: string) => boolean;
    nodeEnv: string | undefined;
  },
): Promise<ProductionFault[]> {
  const { reads, nodeEnv, env } = options;
  if (nodeEnv !== 'production') {
    return [];
  }
  const { effective, written, own } = await readConfiguration(options);
  const faults = new Map<string, string>();
  const note = (key: string, text: string) => {
    if (reads(key) && !faults.has(key)) {
      faults.set(key, text);
    }
  };
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
  return [...faults].map(([key, text]) => ({ key, message: `${key} ${text}` }));
}

/** The unset variables by the key that needs them; an empty one counts as unset. */
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
