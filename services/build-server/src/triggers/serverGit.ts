import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pLimit from 'p-limit';
import {
  FETCH,
  GIT,
  type GitAccess,
  gitEnvironment,
} from '../execution/git.ts';
import { runProcess, startProgram } from '../execution/local/processes.ts';
import { isRef } from '../jobs/repository.ts';

const LIST_MS = 30_000;
/** Allows for a repository with very many branches, each on its own line. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const LISTED = /^([0-9a-f]{40}|[0-9a-f]{64})\t(refs\/heads\/.+)$/;

/**
 * Lists the branches of a repository.
 *
 * @param options.ref - only this one, such as `refs/heads/main`.
 * @returns their commits, by ref.
 */
export async function listHeads(
  access: GitAccess,
  options: { path: string; signal: AbortSignal; ref?: string },
): Promise<Map<string, string>> {
  const { path: PATH, signal, ref } = options;
  const argv = [...GIT, 'ls-remote', '--heads', '--', access.repository];
  const told = await inScratch(scratch =>
    outputOfGit(ref === undefined ? argv : [...argv, ref], {
      // Outside any repository, whose configuration would apply.
      ...{ cwd: '/', scratch, maxBytes: MAX_ANSWER_BYTES },
      environment: {
        PATH,
        ...gitEnvironment(access, { withCredentials: true }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]),
    }),
  );
  return new Map(
    told.split('\n').flatMap(line => {
      const [, commit, head = ''] = LISTED.exec(line) ?? [];
      return isRef(head) ? [[head, commit]] : [];
    }),
  );
}

/** Limits how many repositories are read at the same time, each by git processes. */
const limited = pLimit(4);
/**
 * Maximum size of a file in blocks of 512 bytes, i.e. 64 MiB: a repository that cannot omit files
 * may send all those of a commit.
 */
const MAX_FILE_BLOCKS = 131_072;
/** Makes git store what it fetches as one file, to which the limit applies, and start no clean-up. */
const ONE_FILE = ['-c', 'fetch.unpackLimit=1', '-c', 'gc.auto=0'];
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** The newest commit of a ref. */
interface TipOfRef {
  commit: string;
  message: string;
}

/** Options of reading a ref. */
interface ReadOptions {
  ref: string;
  /** PATH of git. */
  path: string;
  signal: AbortSignal;
}

/**
 * Reads the newest commit of a ref from its repository, without the files of the commit.
 *
 * @param options.withinMs - how long it may take, including the wait for other repositories.
 * @throws Error if git fails or takes too long, if the message is very long, or if the signal is
 * aborted.
 */
export async function readHead(
  access: GitAccess,
  options: Omit<ReadOptions, 'signal'> & {
    withinMs: number;
    signal?: AbortSignal;
  },
): Promise<TipOfRef> {
  const { withinMs, ...rest } = options;
  const signals = [AbortSignal.timeout(withinMs), options.signal];
  const signal = AbortSignal.any(signals.filter(one => one !== undefined));
  return limited(async () => {
    signal.throwIfAborted();
    return inScratch(folder => readInto(folder, access, { ...rest, signal }));
  });
}

async function readInto(
  folder: string,
  access: GitAccess,
  { ref, path: PATH, signal }: ReadOptions,
): Promise<TipOfRef> {
  const limit = `ulimit -f ${MAX_FILE_BLOCKS} && exec "$@"`;
  const git = (args: readonly string[], withCredentials = false) =>
    outputOfGit(['sh', '-c', limit, 'sh', ...GIT, ...ONE_FILE, ...args], {
      ...{ cwd: folder, scratch: folder, signal },
      environment: { PATH, ...gitEnvironment(access, { withCredentials }) },
      maxBytes: MAX_MESSAGE_BYTES,
    });
  await git(['init', '--quiet', '--bare', '--template=', '.']);
  await git(
    [...FETCH, '--depth=1', '--filter=tree:0', '--', access.repository, ref],
    true,
  );
  const [commit, message] = (
    await git(['log', '-1', '--format=%H%x00%B', 'FETCH_HEAD'])
  ).split('\0');
  return { commit, message };
}

const MAX_FAULT_BYTES = 500;

/**
 * Creates a folder for git, and removes it after the work with everything that git and ssh left in
 * it.
 */
async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'slipway-git-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Runs git for the server itself, without a build. Processes that git starts end with it, because
 * they may wait for a forge much longer than git.
 *
 * @param options.scratch - where ssh stores its key.
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
          // Stops reading, so that git ends.
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
