import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import satisfies from 'spdx-satisfies';

/** Accepted licences of dependencies, by SPDX identifier. */
export const ACCEPTED_LICENCES: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
];

/** Packages that were reviewed by a person, with the findings. */
export const REVIEWED_PACKAGES: Readonly<Record<string, string>> = {
  '@remixicon/react':
    'Remix Icon License 1.0: free in products, not as an icon set of its own',
  'fast-shallow-equal': 'public domain, said in its LICENSE file alone',
  pause: 'MIT, said in its Readme alone',
  'pause-stream': 'MIT or Apache-2.0, written in an old form',
  'react-universal-interface': 'public domain, said in its LICENSE file alone',
  'rollup-plugin-dts': 'LGPL-3.0, a build tool that is not shipped',
  tosource: 'zlib, said in its LICENSE file alone',
};

/** A package in a node_modules directory. */
interface InstalledPackage {
  name: string;
  version: string;
  /** SPDX expression, or any other text in its place; null if missing. */
  licence: string | null;
}

/** The formats that packages have used for their licence over the years. */
interface Manifest {
  name?: string;
  version?: string;
  license?: string | { type?: string };
  licenses?: { type?: string }[];
}

function licenceOf({ license, licenses }: Manifest): string | null {
  if (typeof license === 'string') {
    return license;
  }
  const types = [license, ...(licenses ?? [])].flatMap(
    entry => entry?.type ?? [],
  );
  return types.length > 0 ? types.join(' OR ') : null;
}

function readPackage(folder: string): InstalledPackage[] {
  const nested = readInstalled(path.join(folder, 'node_modules'));
  const file = path.join(folder, 'package.json');
  if (!existsSync(file)) {
    return nested;
  }
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  return [
    {
      name: manifest.name ?? path.basename(folder),
      version: manifest.version ?? '',
      licence: licenceOf(manifest),
    },
    ...nested,
  ];
}

/**
 * Reads every package below a node_modules directory, including nested ones. Skips links, which
 * point to our own packages.
 *
 * @param folder - absolute path; may be missing.
 */
export function readInstalled(folder: string): InstalledPackage[] {
  if (!existsSync(folder)) {
    return [];
  }
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) =>
      name.startsWith('@')
        ? readdirSync(path.join(folder, name), { withFileTypes: true })
            .filter(entry => entry.isDirectory())
            .flatMap(entry => readPackage(path.join(folder, name, entry.name)))
        : readPackage(path.join(folder, name)),
    );
}

/** A package with a licence that was not accepted. */
interface UnacceptedPackage {
  name: string;
  version: string;
  /** The licence that the package declares; null if missing. */
  licence: string | null;
}

function isAccepted(licence: string, accepted: readonly string[]): boolean {
  try {
    return satisfies(licence, [...accepted]);
  } catch {
    // Not an SPDX expression: a person has to review it.
    return false;
  }
}

/** Returns the packages whose licence is neither accepted nor reviewed by name. */
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
