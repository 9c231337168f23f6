import { PlatformLog } from './output/PlatformLog.ts';
import {
  compileCacheDirectory,
  repositoryRoot,
  stateDirectory,
} from './layout.ts';
import { parts } from './parts.ts';
import { runPlatform } from './runPlatform.ts';
import { onceAskedToStop } from './supervision/onceAskedToStop.ts';

const colour = process.stdout.isTTY && !process.env.NO_COLOR;

void runPlatform({
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
}).then(exitCode => process.exit(exitCode));
