import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Pinned, and no dependencies of the repository: some of them have not been maintained for years. */
const NPM = {
  jenkins: '1.1.0',
  'jenkins-api': '0.3.1',
  'swaggy-jenkins': '3.2.0',
  '@backstage-community/plugin-jenkins-backend': '0.31.0',
};
/** python-jenkins and what it imports, as Debian packages them. */
const DEBIAN = [
  ...['jenkins', 'multi-key-dict', 'pbr', 'six', 'requests', 'urllib3'],
  ...['certifi', 'idna', 'chardet', 'charset-normalizer', 'pkg-resources'],
].map(name => `python3-${name}`);

/** Returns where the Python modules of the clients are. */
export function pythonPath(folder: string): string {
  return path.join(folder, 'python/usr/lib/python3/dist-packages');
}

/**
 * Loads an installed package of npm.
 *
 * @param file - of the package, if not its main one.
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
 * Installs the clients into a folder, unless they are there. Nothing is installed on the system.
 *
 * @returns why there is no python-jenkins; undefined if there is.
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
