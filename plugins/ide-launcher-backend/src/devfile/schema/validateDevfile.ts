import { DevfileFault, MAX_ISSUES } from '../issue';
import { devfileSchema, RawDevfile } from './devfile';
import { toFaults } from './messages';
import { checkVersion } from './versions';

/** A devfile of the right shape, or what is wrong with it. */
export type ValidationResult =
  { ok: true; devfile: RawDevfile } | { ok: false; faults: DevfileFault[] };

/**
 * Checks a parsed file against the devfile schema of the version that it
 * names. All faults are reported at once, up to {@link MAX_ISSUES}.
 */
export function validateDevfile(value: unknown): ValidationResult {
  const result = devfileSchema.safeParse(value);
  const faults = [
    ...(result.error?.issues.flatMap(issue => toFaults(issue, value)) ?? []),
    ...checkVersion(value),
  ];
  if (!result.success || faults.length > 0) {
    return { ok: false, faults: faults.slice(0, MAX_ISSUES) };
  }
  return { ok: true, devfile: result.data };
}
