import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * npm clients with pinned versions. They are not dependencies of the repository, because some have been
 * unmaintained for years.
 */
const NPM = {
  jenkins: '1.1.0',
  'jenkins-api': '0.3.1',
  'swaggy-jenkins': '3.2.0',
  '@backstage-community/plugin-jenkins-backend': '0.31.0',
};
/** python-jenkins and its imports, as packaged by Debian. */
const DEBIAN = [
  ...['jenkins', 'multi-key-dict', 'pbr', 'six', 'requests', 'urllib3'],
  ...['certifi', 'idna', 'chardet', 'charset-normalizer', 'pkg-resources'],
].map(name => `python3-${name}`);

/** Returns the PYTHONPATH of the clients. */
export function pythonPath(folder: string): string {
  return path.join(folder, 'python/usr/lib/python3/dist-packages');
}

/**
 * Loads an installed npm package.
 *
 * @param file - file of the package, if not its main one.
 */
export function loadClient<T>(
  folder: string,
  name: keyof typeof NPM,
  file = '',
): { version: string; module: T } {
  const require = createRequire(path.join(folder, 'package.json'));
  const root = path.join(folder, 'node_modules', name);
  const { version } = require(path.join(root, 'package.json')) as {
    version: string;
  };
  return { version, module: require(path.join(root, file)) as T };
}

/**
 * Installs missing clients into a folder, without changing the system.
 *
 * @returns the reason why python-jenkins is unavailable; undefined if it is available.
 */
export async function installClients(
  folder: string,
): Promise<string | undefined> {
  mkdirSync(folder, { recursive: true });
  const manifest = path.join(folder, 'package.json');
  if (!existsSync(path.join(folder, 'node_modules/jenkins'))) {
    writeFileSync(manifest, JSON.stringify({ dependencies: NPM }));
    await run(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund'],
      { cwd: folder, timeout: 300_000 },
    );
  }
  if (existsSync(path.join(pythonPath(folder), 'jenkins'))) {
    return undefined;
  }
  try {
    await installPython(folder);
    return undefined;
  } catch (error) {
    return `python-jenkins could not be installed: ${
      (error as Error).message.split('\n')[0]
    }`;
  }
}

async function installPython(folder: string): Promise<void> {
  const packages = path.join(folder, 'packages');
  mkdirSync(packages, { recursive: true });
  await run('apt-get', ['download', ...DEBIAN], {
    cwd: packages,
    timeout: 120_000,
  });
  for (const file of readdirSync(packages)) {
    await run('dpkg', ['-x', file, path.join(folder, 'python')], {
      cwd: packages,
    });
  }
}
