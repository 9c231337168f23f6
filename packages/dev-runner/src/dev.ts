import { PlatformLog } from './output/PlatformLog.ts';
import {
  compileCacheDirectory,
  repositoryRoot,
  stateDirectory,
} from './layout.ts';
import { describeParts } from './parts.ts';
import { readAddresses } from './readAddresses.ts';
import { runPlatform } from './runPlatform.ts';
import { onceAskedToStop } from './supervision/onceAskedToStop.ts';

const colour = process.stdout.isTTY && !process.env.NO_COLOR;

async function dev(): Promise<number> {
  const parts = describeParts(
    await readAddresses({ root: repositoryRoot, env: process.env }),
  );
  return runPlatform({
    parts,
    root: repositoryRoot,
    stateDirectory,
    env: {
      NODE_COMPILE_CACHE: compileCacheDirectory,
      ...process.env,
      // The parts write into a pipe and would leave their colours out.
      ...(colour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
    },
    log: new PlatformLog({
      parts: parts.map(part => part.name),
      write: text => process.stdout.write(text),
      colour,
    }),
    askedToStop: onceAskedToStop,
  });
}

void dev().then(exitCode => process.exit(exitCode));
