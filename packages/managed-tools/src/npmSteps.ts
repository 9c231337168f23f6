import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { InstallStep } from './ManagedTool.ts';
import { ToolInstallError } from './ToolInstallError.ts';

/** A package at an exact version, with its reviewed checksum. */
export interface PinnedPackage {
  name: string;
  version: string;
  /** Subresource integrity of the tarball, `sha512-<base64>`. */
  integrity: string;
}

/** A package of {@link lockedPackagesStep}, with its reviewed checksum. */
export type LockedPackage = Omit<PinnedPackage, 'name'>;

/** Downloads the tarball of a pinned package and verifies its checksum. */
export function downloadStep(pin: PinnedPackage, weight: number): InstallStep {
  return {
    id: 'download',
    title: `Downloading ${pin.name} ${pin.version}`,
    weight,
    async run({ folder, npm }) {
      await npm(
        ['pack', `${pin.name}@${pin.version}`, '--pack-destination', folder],
        { cwd: folder },
      );
      const file = path.join(folder, tarballName(pin));
      const found = await sha512(file);
      if (found !== pin.integrity) {
        await rm(file, { force: true });
        throw new ToolInstallError(
          'integrity',
          `${pin.name} ${pin.version} from the npm registry does not match its pinned checksum`,
        );
      }
    },
  };
}

/**
 * Unpacks the downloaded package and its dependencies, at the versions and checksums of the
 * package's shrinkwrap.
 */
export function unpackStep(
  pin: PinnedPackage,
  options: { weight: number; expectedFetches: number },
): InstallStep {
  return {
    id: 'unpack',
    title: `Unpacking ${pin.name}`,
    weight: options.weight,
    async run({ folder, npm }) {
      await rm(path.join(folder, 'node_modules'), {
        recursive: true,
        force: true,
      });
      await writeFile(
        path.join(folder, 'package.json'),
        JSON.stringify({ name: `managed-${pin.name}`, private: true }),
      );
      await npm(['install', '--no-package-lock', `./${tarballName(pin)}`], {
        cwd: folder,
        expectedFetches: options.expectedFetches,
      });
      await rm(path.join(folder, tarballName(pin)), { force: true });
    },
  };
}

/** Installs the dependencies of a directory inside the package exactly as in its shrinkwrap. */
export function lockedInstallStep(options: {
  id: string;
  title: string;
  weight: number;
  /** Relative to the tool's directory. */
  subfolder: string;
  expectedFetches: number;
}): InstallStep {
  return {
    id: options.id,
    title: options.title,
    weight: options.weight,
    async run({ folder, npm }) {
      await npm(['ci', '--omit=dev', '--legacy-peer-deps'], {
        cwd: path.join(folder, options.subfolder),
        expectedFetches: options.expectedFetches,
      });
    },
  };
}

/**
 * Installs packages without a shrinkwrap at exactly these versions and checksums, and nothing else.
 */
export function lockedPackagesStep(
  pins: Readonly<Record<string, LockedPackage>>,
  options: { title: string; weight: number },
): InstallStep {
  const dependencies = Object.fromEntries(
    Object.entries(pins).map(([name, { version }]) => [name, version]),
  );
  const root = { name: 'managed-packages', private: true, dependencies };
  const lock = {
    name: root.name,
    lockfileVersion: 3,
    packages: Object.fromEntries([
      ['', root],
      ...Object.entries(pins).map(([name, pin]) => [
        `node_modules/${name}`,
        pin,
      ]),
    ]),
  };
  return {
    id: 'locked-packages',
    title: options.title,
    weight: options.weight,
    async run({ folder, npm }) {
      await writeFile(path.join(folder, 'package.json'), JSON.stringify(root));
      await writeFile(
        path.join(folder, 'package-lock.json'),
        JSON.stringify(lock),
      );
      await npm(['ci'], {
        cwd: folder,
        expectedFetches: Object.keys(pins).length,
      });
    },
  };
}

function tarballName({ name, version }: PinnedPackage): string {
  return `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
}

async function sha512(file: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return `sha512-${hash.digest('base64')}`;
}
