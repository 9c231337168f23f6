import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runProcess, startProgram } from '../execution/local/processes.ts';

const MAX_FAULT_BYTES = 500;

/** Creates a folder for git, and removes it after the work with all that git and ssh left in it. */
export async function inScratch<T>(
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'slipway-git-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Runs git for the server itself, without a build. What git starts ends with it: that may wait for
 * a forge much longer than git.
 *
 * @param options.scratch - where ssh keeps its key.
 * @returns its output.
 * @throws Error if it fails, or if its output is longer than `maxBytes`.
 */
export async function outputOfGit(
  argv: readonly string[],
  options: {
    cwd: string;
    scratch: string;
    environment: Readonly<Record<string, string>>;
    maxBytes: number;
    signal: AbortSignal;
  },
): Promise<string> {
  const { cwd, scratch, environment, signal } = options;
  const parts: Buffer[] = [];
  let free = options.maxBytes;
  let fault = '';
  const failure = await runProcess(
    () =>
      startProgram(argv, {
        cwd,
        environment: { ...environment, TMPDIR: scratch },
      }),
    {
      signal,
      killAfterMs: 0,
      endsProcesses: true,
      onStart: () => {},
      output: async (chunk, stream) => {
        if (stream === 'stderr') {
          fault = `${fault}${chunk}`.slice(0, MAX_FAULT_BYTES);
          return;
        }
        free -= chunk.length;
        if (free < 0) {
          // It is not read any further, so that git ends.
          throw new Error('Git says too much');
        }
        parts.push(chunk);
      },
    },
  );
  if (free < 0) {
    throw new Error(`Git says more than ${options.maxBytes} bytes`);
  }
  if (failure !== null) {
    throw new Error(`Git failed: ${failure}: ${fault.trim()}`);
  }
  return Buffer.concat(parts).toString('utf8');
}
