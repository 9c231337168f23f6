import { parseArgs } from 'node:util';
import { PlatformLog } from './output.ts';
import {
  compileCacheDirectory,
  repositoryRoot,
  stateDirectory,
} from './layout.ts';
import { describeParts } from './parts.ts';
import { readAddresses } from './readAddresses.ts';
import { onceAskedToStop, runPlatform } from './runPlatform.ts';

const USAGE = `Usage: ./slipway dev [--hot] [--verbose]

Runs the whole platform in this terminal. Ctrl-C stops it.

  --hot       reload pages as their sources change
  --verbose   print every line of every part
`;

const colour = process.stdout.isTTY && !process.env.NO_COLOR;

async function dev(): Promise<number> {
  const options = readArguments();
  if (!options) {
    return 2;
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const parts = describeParts(
    await readAddresses({ root: repositoryRoot, env: process.env }),
    options,
  );
  return runPlatform({
    parts,
    root: repositoryRoot,
    // A second platform, with other ports and databases, has its own records.
    stateDirectory: process.env.SLIPWAY_STATE_DIRECTORY ?? stateDirectory,
    env: {
      NODE_COMPILE_CACHE: compileCacheDirectory,
      // glibc has separate memory arenas for threads and returns little of the freed memory: a
      // fifth of the backend's.
      MALLOC_ARENA_MAX: '1',
      ...process.env,
      // The parts write to a pipe and would not use colours.
      ...(colour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
    },
    log: new PlatformLog({
      parts: parts.map(part => part.name),
      write: text => process.stdout.write(text),
      colour,
      verbose: options.verbose,
    }),
    askedToStop: onceAskedToStop,
  });
}

function readArguments():
  { hot?: boolean; verbose?: boolean; help?: boolean } | undefined {
  try {
    return parseArgs({
      options: {
        hot: { type: 'boolean' },
        verbose: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : error}\n${USAGE}`,
    );
    return undefined;
  }
}

void dev().then(exitCode => process.exit(exitCode));
