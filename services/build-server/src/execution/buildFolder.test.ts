import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const MODULE = new URL('./buildFolder.ts', import.meta.url).href;

let directory: string;

/** Runs a program as a user whom permissions stop, unlike root. */
async function asUser(...argv: string[]): Promise<void> {
  const switched = ['--reuid=65534', '--regid=65534', '--clear-groups'];
  const isRoot = process.getuid!() === 0;
  const [program, ...args] = isRoot ? ['setpriv', ...switched, ...argv] : argv;
  await promisify(execFile)(program, args);
}

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'build-folder-'));
  await chmod(directory, 0o777);
});

afterEach(() => rm(directory, { recursive: true, force: true }));

it('removes folders that the build has made read-only, as Go does, and follows no links', async () => {
  const other = path.join(directory, 'other');
  await mkdir(other, { mode: 0o755 });
  await symlink(other, path.join(other, 'self'));
  const folder = path.join(directory, '7');
  await asUser(
    'sh',
    '-c',
    `
    mkdir -p ${folder}/home/go/pkg/mod/cart@v1 ${folder}/work/closed
    for i in $(seq 300); do mkdir -p ${folder}/work/$i/src/app; done
    touch ${folder}/home/go/pkg/mod/cart@v1/cart.go ${folder}/.complete
    ln -s ${other} ${folder}/work/link
    chmod -R a-w ${folder}/home/go
    chmod 0 ${folder}/work/closed
    `,
  );
  await asUser(
    ...[process.execPath, '--input-type=module', '-e'],
    `await (await import('${MODULE}')).removeFolder('${folder}')`,
  );
  expect(await readdir(directory)).toEqual(['other']);
  expect(await readdir(other)).toEqual(['self']);
});
