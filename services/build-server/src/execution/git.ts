import type { GitCredentials } from '../jobs/repository.ts';
import type { Output } from './commands.ts';
import type { Place } from './Executor.ts';

/**
 * The git command without hooks, because cloned code may contain some, and without maintenance after a
 * fetch: it would start two processes, although the folder is deleted with its build.
 */
export const GIT = [
  'git',
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'maintenance.auto=false'],
];

/** The git command that fetches only the named refs. */
export const FETCH = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-recurse-submodules',
];

/** A repository, and how git reaches it. */
export interface GitAccess {
  /** The address of the repository, without a password. */
  repository: string;
  /** Credentials, sent only to the host of the repository. */
  credentials?: GitCredentials;
  /** The `known_hosts` lines of a repository over ssh, whose credentials are a private key. */
  knownHosts?: string;
  /** Protocols that git may use. */
  protocols: readonly string[];
  caFile?: string;
}

/** A repository, and where git runs. */
export interface GitRequest extends GitAccess {
  place: Place;
  /**
   * True if the commit's author is not trusted: credentials are not used for anything the
   * commit refers to.
   */
  isFork?: boolean;
  signal: AbortSignal;
  output: Output;
}

/** Thrown for a failed checkout; the message is the end of a sentence. */
export class CheckoutError extends Error {
  override readonly name = 'CheckoutError';
}

/** Maximum bytes of git's output, such as a commit message, which is stored with the build. */
const MAX_ANSWER_BYTES = 16_384;

/** Returns the variables of git: no prompt, no user configuration, no protocol that runs programs. */
export function gitEnvironment(
  access: GitAccess,
  { withCredentials }: { withCredentials: boolean },
): Record<string, string> {
  const { protocols, caFile } = access;
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ALLOW_PROTOCOL: protocols.join(':'),
    ...(caFile && { GIT_SSL_CAINFO: caFile }),
    ...(withCredentials && credentialEnvironment(access)),
  };
}

/**
 * Runs ssh with a single key, without user configuration, and only to known hosts. Git
 * appends its arguments.
 */
const SSH = `f() {
  umask 077
  d=$(mktemp -d) || exit 1
  trap 'rm -rf "$d"' EXIT
  printf '%s\\n' "$SLIPWAY_SSH_KEY" > "$d/key"
  printf '%s\\n' "$SLIPWAY_SSH_HOSTS" > "$d/hosts"
  ssh -F /dev/null -i "$d/key" -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=yes -o UserKnownHostsFile="$d/hosts" -o GlobalKnownHostsFile=/dev/null "$@"
}; f`;

/**
 * Passes the user name and password through the environment of git only: arguments are
 * visible to every process, and `.git/config` to the steps.
 */
function credentialEnvironment({
  repository,
  credentials,
  knownHosts,
}: GitAccess): Record<string, string> {
  if (!credentials || !URL.canParse(repository)) {
    return {};
  }
  const { protocol, host } = new URL(repository);
  if (protocol === 'ssh:') {
    return {
      GIT_SSH_COMMAND: SSH,
      SLIPWAY_SSH_KEY: credentials.password,
      SLIPWAY_SSH_HOSTS: knownHosts ?? '',
    };
  }
  const helper =
    '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$SLIPWAY_GIT_USERNAME" "$SLIPWAY_GIT_PASSWORD"; }; f';
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `credential.${protocol}//${host}.helper`,
    GIT_CONFIG_VALUE_0: helper,
    SLIPWAY_GIT_USERNAME: credentials.username,
    SLIPWAY_GIT_PASSWORD: credentials.password,
  };
}

/** Runs git. @throws CheckoutError with git's own message, if it fails. */
export async function git(request: GitRequest, args: string[]): Promise<void> {
  const { failure } = await tryGit(request, args);
  if (failure !== null) {
    throw new CheckoutError(`git ${verbOf(args)}: ${failure}`);
  }
}

/** Maximum characters of git's explanation of a failure. */
const MAX_SAID = 200;

/**
 * Runs git, and logs its output.
 *
 * @returns `failure`: why git failed, in its own words if it gave a reason; null if it succeeded.
 *   `said`: the end of its output.
 */
export async function tryGit(
  request: GitRequest,
  args: string[],
): Promise<{ failure: string | null; said: string }> {
  let said = '';
  const failure = await runGit(request, args, async (chunk, stream) => {
    said = (said + chunk.toString('utf8')).slice(-MAX_ANSWER_BYTES);
    await request.output(chunk, stream);
  });
  return { failure: failure && (explanationIn(said) || failure), said };
}

/** Returns the last message of git, or that of ssh if ssh failed. */
function explanationIn(said: string): string | undefined {
  const [, ssh, fatal] = /^(?:(.*)\r?\n)?fatal: (.+)$/m.exec(said) ?? [];
  const isOfSsh = fatal?.startsWith('Could not read from remote repository');
  const told = isOfSsh ? ssh?.trim() || fatal : fatal;
  return told?.replace(/\p{Cc}/gu, '').slice(0, MAX_SAID);
}

/**
 * Checks whether a git command may receive credentials. Submodules and LFS get none in builds of
 * forks, whose commits could name any address.
 */
function mayUseCredentials({ isFork }: GitRequest, verb: string): boolean {
  return (
    ['fetch', 'ls-remote'].includes(verb) ||
    (!isFork && ['submodule', 'lfs'].includes(verb))
  );
}

/** Returns the git command among arguments that may begin with settings, such as `fetch`. */
function verbOf(args: readonly string[]): string {
  return args.find(arg => /^[a-z][a-z-]+$/.test(arg)) ?? '';
}

/**
 * Returns the output of git, cut after {@link MAX_ANSWER_BYTES}, without its warnings.
 *
 * @throws CheckoutError if it fails.
 */
export async function ask(
  request: GitRequest,
  args: string[],
): Promise<string> {
  const parts: Buffer[] = [];
  let free = MAX_ANSWER_BYTES;
  const failure = await runGit(request, args, async (chunk, stream) => {
    if (stream === 'stdout' && free > 0) {
      parts.push(chunk.subarray(0, free));
      free -= chunk.length;
    }
  });
  if (failure !== null) {
    throw new CheckoutError(failure);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Runs git. @returns why it failed, as the end of a sentence; null if it did not. */
export function runGit(
  request: GitRequest,
  args: string[],
  output: Output,
): Promise<string | null> {
  const { place, signal } = request;
  return place.run({
    argv: [...GIT, ...args],
    environment: gitEnvironment(request, {
      withCredentials: mayUseCredentials(request, verbOf(args)),
    }),
    isInternal: true,
    signal,
    output,
  });
}
