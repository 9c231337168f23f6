import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const VERSION = '8.2.0';
const INSTALL_TIMEOUT_MS = 300_000;

/**
 * Installs the Unleash server, if missing, into `.data/bench/peers`, which Git ignores. It is licensed
 * under the AGPL, so it is neither a dependency nor in the lock file, and only runs as a separate
 * process.
 *
 * @returns its directory, relative to the repository.
 */
export async function installUnleash(): Promise<string> {
  const relative = `.data/bench/peers/unleash-server-${VERSION}`;
  const directory = path.resolve(import.meta.dirname, '../../..', relative);
  const installed = `${relative}/node_modules/unleash-server`;
  if (!existsSync(path.join(directory, '.installed'))) {
    console.log(`Installing unleash-server ${VERSION} into ${relative} …`);
    mkdirSync(directory, { recursive: true });
    await run(
      'npm',
      [
        'install',
        // Otherwise npm would install into this repository, whose dependencies it cannot read.
        ...['--prefix', directory],
        '--no-save',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        `unleash-server@${VERSION}`,
      ],
      { cwd: directory, timeout: INSTALL_TIMEOUT_MS },
    );
    mkdirSync(path.join(directory, '.installed'));
  }
  return installed;
}
