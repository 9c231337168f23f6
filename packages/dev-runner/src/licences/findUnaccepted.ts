import satisfies from 'spdx-satisfies';
import type { InstalledPackage } from './readInstalled.ts';

/** A package whose licence nobody has accepted. */
export interface UnacceptedPackage {
  name: string;
  version: string;
  /** The licence that the package states; null where it states none. */
  licence: string | null;
}

function isAccepted(licence: string, accepted: readonly string[]): boolean {
  try {
    return satisfies(licence, [...accepted]);
  } catch {
    // No SPDX expression: what it means is for a person to say.
    return false;
  }
}

/** The packages whose licence is neither accepted nor reviewed by name. */
export function findUnaccepted(
  packages: readonly InstalledPackage[],
  policy: {
    accepted: readonly string[];
    reviewed: Readonly<Record<string, string>>;
  },
): UnacceptedPackage[] {
  return packages.filter(
    ({ name, licence }) =>
      !(name in policy.reviewed) &&
      !(licence !== null && isAccepted(licence, policy.accepted)),
  );
}
