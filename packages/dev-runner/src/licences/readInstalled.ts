import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A package in a node_modules folder. */
export interface InstalledPackage {
  name: string;
  version: string;
  /** SPDX expression, or whatever stands in its place; null where nothing does. */
  licence: string | null;
}

/** The forms in which packages have told their licence over the years. */
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
 * Every package below a node_modules folder, nested ones included. Links, which
 * lead to packages of our own, are passed over.
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
