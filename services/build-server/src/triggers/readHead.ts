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

/** Repositories that are read at once, each by programs of git. */
const limited = pLimit(4);
/** A repository that cannot leave files out may send all those of a commit; 64 MiB in blocks of 512 bytes. */
const MAX_FILE_BLOCKS = 131_072;
/** What was fetched becomes one file, to which the limit applies; nothing tidies up in the background. */
const ONE_FILE = ['-c', 'fetch.unpackLimit=1', '-c', 'gc.auto=0'];
/** The rest of a longer message is not read. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_FAULT = 500;

/** The beginning of an output. */
class Capped {
  readonly #parts: Buffer[] = [];
  #free: number;

  constructor(maxBytes: number) {
    this.#free = maxBytes;
  }

  add(chunk: Buffer): void {
    if (this.#free > 0) {
      this.#parts.push(chunk.subarray(0, this.#free));
      this.#free -= chunk.length;
    }
  }

  text(): string {
    return Buffer.concat(this.#parts).toString('utf8');
  }
}

/** The newest commit of a ref. */
interface TipOfRef {
  commit: string;
  message: string;
}

/** How a ref is read. */
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
 * @throws Error if git fails or takes too long, or if the signal is aborted.
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
    const folder = await mkdtemp(path.join(tmpdir(), 'slipway-head-'));
    try {
      return await readInto(folder, access, { ...rest, signal });
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  });
}

async function readInto(
  folder: string,
  access: GitAccess,
  { ref, path: PATH, signal }: ReadOptions,
): Promise<TipOfRef> {
  const git = async (args: readonly string[], withCredentials = false) => {
    const said = new Capped(MAX_MESSAGE_BYTES);
    const faults = new Capped(MAX_FAULT);
    const environment = {
      PATH,
      // Keys that ssh reads are removed with the folder, even if it is killed.
      TMPDIR: folder,
      ...gitEnvironment(access, { withCredentials }),
    };
    const limit = `ulimit -f ${MAX_FILE_BLOCKS} && exec "$@"`;
    const failure = await runProcess(
      () =>
        startProgram(['sh', '-c', limit, 'sh', ...GIT, ...ONE_FILE, ...args], {
          cwd: folder,
          environment,
        }),
      {
        signal,
        // What git starts may wait for the forge much longer than git itself.
        killAfterMs: 0,
        endsProcesses: true,
        onStart: () => {},
        output: async (chunk, stream) =>
          (stream === 'stdout' ? said : faults).add(chunk),
      },
    );
    if (failure !== null) {
      throw new Error(`git: ${failure}: ${faults.text()}`);
    }
    return said.text();
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
