import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { SITE_NAME } from '../name/nameWindow.ts';
import { writeRoutes } from '../routes/redirects.ts';
import type { SiteLayout } from './BuiltSite.ts';

const root = path.resolve(import.meta.dirname, '../..');
const designSystem = path.resolve(root, '../../packages/design-system');

/** The sources of this package's site and the directory of its build. */
export const siteLayout: SiteLayout = {
  directory: path.join(root, 'dist/site'),
  sources: [
    ...['.storybook', 'src', 'package.json'].map(name => path.join(root, name)),
    ...['src', 'styles', 'styles.css', 'generated', 'package.json'].map(name =>
      path.join(designSystem, name),
    ),
  ],
  buildInto: buildStorybook,
};

/** Number of characters at the end of a failed build's output that the error contains. */
const KEPT_OUTPUT = 4_000;

/**
 * Builds the stories into a directory, in a process with low priority, and writes the
 * components' routes.
 *
 * @throws Error with the end of Storybook's output.
 */
async function buildStorybook(
  directory: string,
  signal?: AbortSignal,
): Promise<void> {
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

/**
 * Replaces Storybook's name in the titles of a built site, for readers without scripts.
 *
 * @param directory - directory of the built site.
 */
export async function nameSite(directory: string): Promise<void> {
  const file = path.join(directory, 'index.html');
  const html = await readFile(file, 'utf8');
  await writeFile(
    file,
    html.replace(/<title>[^<]*<\/title>/, `<title>${SITE_NAME}</title>`),
  );
}
