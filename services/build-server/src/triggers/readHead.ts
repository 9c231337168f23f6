import pLimit from 'p-limit';
import {
  FETCH,
  GIT,
  type GitAccess,
  gitEnvironment,
} from '../execution/git.ts';
import { inScratch, outputOfGit } from './serverGit.ts';

/** Repositories that are read at once, each by programs of git. */
const limited = pLimit(4);
/** A repository that cannot leave files out may send all those of a commit; 64 MiB in blocks of 512 bytes. */
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
 * @param options.withinMs - how long it may take, with the wait for other repositories.
 * @throws Error if git fails or takes too long, if the message is very long, or if the signal is aborted.
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
