import { parseArgs } from 'node:util';
import { PlatformLog } from './output.ts';
import {
  compileCacheDirectory,
  repositoryRoot,
  stateDirectory,
} from './layout.ts';
import { describeParts, type PagesOptions } from './parts.ts';
import { readAddresses } from './readAddresses.ts';
import { onceAskedToStop, runPlatform } from './runPlatform.ts';

const colour = process.stdout.isTTY && !process.env.NO_COLOR;

async function dev(): Promise<number> {
  const pages = readArguments();
  if (!pages) {
    return 2;
  }
  const parts = describeParts(
    await readAddresses({ root: repositoryRoot, env: process.env }),
    pages,
  );
  return runPlatform({
    parts,
    root: repositoryRoot,
    // A second platform, of other ports and databases, has records of its own.
    stateDirectory: process.env.SLIPWAY_STATE_DIRECTORY ?? stateDirectory,
    env: {
      NODE_COMPILE_CACHE: compileCacheDirectory,
      // glibc keeps memory apart for each thread, and of what is freed there it gives
      // little back: a fifth of the back end's.
      MALLOC_ARENA_MAX: '1',
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

function readArguments(): PagesOptions | undefined {
  try {
    return parseArgs({ options: { hot: { type: 'boolean' } } }).values;
  } catch (error) {
    process.stderr.write(
      `${
        error instanceof Error ? error.message : error
      }\nUsage: ./slipway dev [--hot]\n`,
    );
    return undefined;
  }
}

void dev().then(exitCode => process.exit(exitCode));
