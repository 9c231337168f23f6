import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { repositoryRoot } from '../layout.ts';
import { buildWhenChanged } from './buildWhenChanged.ts';

/** The portal's pages, which the back end serves from `dist`. */
const APP = { packageName: '@slipway/app', folder: 'packages/app' };

/**
 * As it is deployed, but for the configuration, of which the back end puts what it has
 * into the pages. What the build takes of it stands in `app-config.yaml`.
 *
 * @param folder - absolute path; stands for the app's.
 */
async function build(folder: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      path.join(
        repositoryRoot,
        'node_modules/@backstage/cli/bin/backstage-cli',
      ),
      'package',
      'build',
      '--config',
      path.join(repositoryRoot, 'app-config.yaml'),
    ],
    {
      cwd: folder,
      // Of the output, only what went wrong: the rest is a list of files.
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' },
    },
  );
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    throw new Error(`The pages could not be built (exit code ${code})`);
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
