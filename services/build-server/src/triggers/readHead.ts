import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import {
  FETCH,
  GIT,
  type GitAccess,
  gitEnvironment,
} from '../execution/git.ts';

/** Repositories that are read at once, each by programs of git. */
const limited = pLimit(4);
/** A repository that cannot leave files out may send all those of a commit; 64 MiB in blocks of 512 bytes. */
const MAX_FILE_BLOCKS = 131_072;
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** The newest commit of a ref. */
interface TipOfRef {
  commit: string;
  message: string;
}

/**
 * Reads the newest commit of a ref from its repository, without the files of the commit.
 *
 * @param options.withinMs - how long it may take; a wait for other repositories does not count.
 * @throws Error if git fails or takes too long, or if the signal is aborted.
 */
export async function readHead(
  access: GitAccess,
  options: {
    ref: string;
    /** PATH of git. */
    path: string;
    withinMs: number;
    signal?: AbortSignal;
  },
): Promise<TipOfRef> {
  return limited(async () => {
    options.signal?.throwIfAborted();
    const folder = await mkdtemp(path.join(tmpdir(), 'slipway-head-'));
    try {
      return await readInto(folder, access, options);
    } finally {
      // Git may still write for a moment after it was ended.
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  });
}

async function readInto(
  folder: string,
  access: GitAccess,
  options: {
    ref: string;
    path: string;
    withinMs: number;
    signal?: AbortSignal;
  },
): Promise<TipOfRef> {
  const { ref, withinMs } = options;
  const signals = [AbortSignal.timeout(withinMs), options.signal];
  const signal = AbortSignal.any(signals.filter(one => one !== undefined));
  const git = async (args: readonly string[], withCredentials = false) => {
    const { stdout } = await promisify(execFile)(
      'sh',
      [
        ...['-c', `ulimit -f ${MAX_FILE_BLOCKS} && exec "$@"`, 'sh'],
        ...[...GIT, ...args],
      ],
      {
        cwd: folder,
        env: {
          PATH: options.path,
          ...gitEnvironment(access, { withCredentials }),
        },
        killSignal: 'SIGKILL',
        maxBuffer: MAX_MESSAGE_BYTES,
        signal,
      },
    );
    return stdout;
  };
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
