import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 180_000;

/**
 * Unpacks Debian's packages of Buildbot and its Python dependencies into a folder that Git ignores,
 * unless they are already there. Installs nothing on the system.
 *
 * @param peers - absolute path of the parent folder.
 * @returns the folder that takes the place of `/`.
 */
export async function installBuildbot(peers: string): Promise<string> {
  const folder = path.join(peers, 'buildbot');
  const root = path.join(folder, 'root');
  const packages = path.join(folder, 'packages');
  if (existsSync(path.join(folder, '.installed'))) {
    return root;
  }
  console.log(`Installing Buildbot into ${folder} …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(packages, { recursive: true });
  // The packages that apt-get would install; the system already has the others.
  const { stdout } = await run(
    'apt-get',
    [
      ...['install', '--simulate', '--no-install-recommends'],
      ...['buildbot', 'buildbot-worker'],
    ],
    { timeout: TIMEOUT_MS },
  );
  const names = stdout
    .split('\n')
    .filter(line => line.startsWith('Inst '))
    .map(line => line.split(' ')[1]);
  await run('apt-get', ['download', ...names], {
    cwd: packages,
    timeout: TIMEOUT_MS,
  });
  for (const file of readdirSync(packages)) {
    await run('dpkg-deb', ['-x', path.join(packages, file), root]);
  }
  rmSync(packages, { recursive: true });
  mkdirSync(path.join(folder, '.installed'));
  return root;
}
