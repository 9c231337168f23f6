import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import os from 'node:os';
import { nameSite } from '../name/nameSite.ts';
import { writeRoutes } from '../routes/writeRoutes.ts';

/** The characters at the end of a failed build's output that its error quotes. */
const KEPT_OUTPUT = 4_000;

/**
 * Builds the stories of a package into a directory, in a process that leaves others
 * their time, and gives the components their addresses.
 *
 * @param options.root - absolute path of the package with `.storybook`.
 * @throws Error with how Storybook ended.
 */
export async function buildStorybook(options: {
  root: string;
  directory: string;
  signal?: AbortSignal;
}): Promise<void> {
  const { root, directory, signal } = options;
  const storybook = createRequire(import.meta.url).resolve(
    'storybook/internal/bin/dispatcher',
  );
  const child = spawn(
    process.execPath,
    [storybook, 'build', '--quiet', '--output-dir', directory],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], signal },
  );
  if (child.pid !== undefined) {
    os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
  }
  let output = '';
  const keep = (text: string) => {
    output = (output + text).slice(-KEPT_OUTPUT);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const [code] = await once(child, 'close');
  if (code !== 0) {
    throw new Error(`Storybook ended with ${code}:\n${output}`);
  }
  await nameSite(directory);
  await writeRoutes(directory);
}
