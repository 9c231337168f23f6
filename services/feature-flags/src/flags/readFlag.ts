import type { Static } from 'typebox';
import type { FlagSettings } from './Flag.ts';
import type { NewFlag } from './FlagAdmin.ts';
import type { FlagCreation, FlagUpdate } from './schemas.ts';

const SETTINGS = [
  'description',
  'type',
  'enabled',
  'stale',
  'impressionData',
  'strategies',
  'variants',
] as const satisfies readonly (keyof FlagSettings)[];

/** What a body says of a flag; fields that nobody knows stay behind. */
export function readChanges(
  body: Static<typeof FlagUpdate>,
): Partial<FlagSettings> {
  return Object.fromEntries(
    SETTINGS.flatMap(key =>
      body[key] === undefined ? [] : [[key, body[key]]],
    ),
  );
}

/** A new flag; its schema gave everything a default. */
export function readNewFlag(body: Static<typeof FlagCreation>): NewFlag {
  const { name, project } = body;
  return { name, project, ...(readChanges(body) as FlagSettings) };
}
