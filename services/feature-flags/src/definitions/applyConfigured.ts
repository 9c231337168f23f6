import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { FlagDefinitions } from './FlagDefinitions.ts';
import { type DefinedFlags, Definitions } from './schemas.ts';

/**
 * Applies the definitions of a file at startup, with the configuration as the author.
 *
 * @throws Error naming the file if it cannot be applied: the service does not start.
 */
export async function applyConfigured(
  definitions: FlagDefinitions,
  file: string,
): Promise<void> {
  try {
    const read: unknown = parse(await readFile(file, 'utf8'));
    // Loaded only when needed: it would take a tenth of the startup time without definitions.
    const { Value } = await import('typebox/value');
    const [fault] = Value.Errors(Definitions, read);
    if (fault) {
      throw new Error(`${fault.instancePath || '/'} ${fault.message}`);
    }
    await definitions.apply(Value.Default(Definitions, read) as DefinedFlags, {
      by: 'configuration',
      principals: ['configuration'],
      isPerson: false,
    });
  } catch (error) {
    throw new Error(
      `featureFlags.definitions: ${file}: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
