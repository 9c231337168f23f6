import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { repositoryRoot } from '../layout.ts';
import { buildWhenChanged } from './buildWhenChanged.ts';
import { reasonIn } from './reasonIn.ts';

/** The portal's pages, which the backend serves from `dist`. */
const APP = {
  packageName: '@slipway/app',
  folder: 'packages/app',
  tools: 'packages/dev-runner/src/portal/pack',
};

/**
 * Builds the app as for deployment, except for the configuration, which the backend injects into
 * the pages. The build itself only reads `app-config.yaml`.
 *
 * @param folder - absolute path of a copy of the app's directory.
 */
async function build(folder: string): Promise<void> {
  await runIn(folder, [
    path.join(repositoryRoot, 'node_modules/@backstage/cli/bin/backstage-cli'),
    'package',
    'build',
    '--config',
    path.join(repositoryRoot, 'app-config.yaml'),
  ]);
  await runIn(folder, [path.join(import.meta.dirname, 'pack/main.ts')]);
}

async function runIn(folder: string, command: string[]): Promise<void> {
  const child = spawn(process.execPath, command, {
    cwd: folder,
    // Shows only errors; the rest of the output is a list of files.
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    process.stderr.write(text);
    errors += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) {
    const reason = reasonIn(errors) || `exit code ${code}`;
    throw new Error(`The pages could not be built: ${reason}`);
  }
}

async function main(): Promise<void> {
  const startedAt = Date.now();
  const say = (text: string) => process.stdout.write(`${text}\n`);
  try {
    const built = await buildWhenChanged({
      root: repositoryRoot,
      ...APP,
      build: folder => {
        say('Building the pages, whose sources have changed');
        return build(folder);
      },
    });
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    say(built ? `Built in ${seconds} s` : 'The pages are built already');
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

void main();
