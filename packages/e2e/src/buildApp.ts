import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { repositoryRoot } from './addresses.ts';

/** Builds the app as it is deployed; the back end serves it. */
export async function buildApp(): Promise<void> {
  const child = spawn('yarn', ['workspace', '@slipway/app', 'build'], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    throw new Error(`The app could not be built, exit code ${code}`);
  }
}
