import { shortName } from '../builds/Build.ts';

/** The reason why a command was interrupted. */
export type Interruption =
  | { kind: 'stopped'; by: string }
  | { kind: 'timeout'; seconds: number }
  /** The build uses too much of its machine; `excess` is the end of a sentence. */
  | { kind: 'limit'; excess: string }
  | { kind: 'shutdown' }
  /** Another process considers the build abandoned. */
  | { kind: 'lost' };

/** Receives the output of a program. */
export type Output = (
  chunk: Buffer,
  stream: 'stdout' | 'stderr',
) => Promise<void>;

/** A program to run for a build. */
export interface Command {
  /** Program and arguments, without a shell. */
  argv: readonly string[];
  /** Variables in addition to those of every command of the build. */
  environment: Readonly<Record<string, string>>;
  /** True to run without network access. */
  isOffline?: boolean;
  /** Set for a program that runs alongside the others, which reach it as localhost. */
  service?: { name: string; image?: string };
  /** True for commands of the build server itself, such as git, and for checks of services. */
  isInternal?: boolean;
  /** Timeout of the command, which the caller enforces through the signal. */
  timeoutSeconds?: number;
  /** Its reason is an {@link Interruption}. */
  signal: AbortSignal;
  /** Receives output as it is produced; slows the program down if it is slow itself. */
  output: Output;
}

/** Checks whether a variable can be set in a shell. */
export function isVariable(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/**
 * Returns a script that sets variables and then replaces the shell with a program without standard
 * input. The script is passed on the standard input of a shell, because arguments are visible to
 * others and end up in audit logs. Variables that no shell can set are left out.
 *
 * @param options.directory - the work directory; by default that of the shell.
 */
export function shellScript(
  argv: readonly string[],
  options: {
    environment: Readonly<Record<string, string>>;
    directory?: string;
  },
): string {
  const { environment, directory } = options;
  return [
    ...Object.entries(environment)
      .filter(([name]) => isVariable(name))
      .map(([name, value]) => `export ${name}=${quoted(value)}`),
    ...(directory === undefined ? [] : [`cd ${quoted(directory)}`]),
    `exec ${argv.map(quoted).join(' ')} < /dev/null\n`,
  ].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A report file written by a build. */
export interface Report {
  /** Relative to the work directory. */
  path: string;
  text: string;
}

/** Thrown for an unreadable report; the message is for people. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

/** Checks whether a thrown value is an {@link Interruption}, which is not an error. */
export function isInterruption(thrown: unknown): thrown is Interruption {
  return (
    !(thrown instanceof Error) &&
    typeof thrown === 'object' &&
    thrown !== null &&
    'kind' in thrown
  );
}

/** The signals that end one build. */
export class Interrupter {
  readonly #ending = new AbortController();
  readonly #killing = new AbortController();

  /** Aborts when the build must end; its reason is an {@link Interruption}. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /**
   * Aborts when the build must end without cleaning up: the process ends, or no longer owns the
   * build.
   */
  get killSignal(): AbortSignal {
    return this.#killing.signal;
  }

  interrupt(reason: Interruption): void {
    if (reason.kind === 'shutdown' || reason.kind === 'lost') {
      this.#killing.abort(reason);
    }
    this.#ending.abort(reason);
  }
}

/** Checks whether a program must end immediately, because it harms its machine. */
export function endsAtOnce({ reason }: AbortSignal): boolean {
  return (reason as Interruption).kind === 'limit';
}

/** Describes an {@link Interruption} in words. */
export function describeInterruption(interruption: Interruption): string {
  switch (interruption.kind) {
    case 'stopped':
      return `Stopped by ${shortName(interruption.by)}`;
    case 'timeout':
      return `Timed out after ${interruption.seconds} seconds`;
    case 'limit':
      return `Ended because ${interruption.excess}`;
    case 'shutdown':
      return 'The build server was shut down';
    default:
      return 'The build server lost its lease on the build';
  }
}

/** The time remaining for work. */
export interface Clock {
  /** While true, no time elapses. */
  setPaused(isPaused: boolean): void;
}

/**
 * Limits the time of work, like {@link within}, but returns `late` if that time expires. Anything
 * else that ends the work is thrown: a lost place must not look like a program that took too long.
 */
export async function withinOr<T>(
  late: T,
  timeoutMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let limited = outer;
  try {
    return await within(timeoutMs, outer, signal => {
      limited = signal;
      return work(signal);
    });
  } catch (error) {
    if (outer.aborted || !limited.aborted) {
      throw error;
    }
    return late;
  }
}

/** Limits the time of work, in addition to a signal that may end it. */
export async function within<T>(
  timeoutMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal, clock: Clock) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const reason: Interruption = { kind: 'timeout', seconds: timeoutMs / 1_000 };
  let leftMs = timeoutMs;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const setPaused = (isPaused: boolean) => {
    if (timer && isPaused) {
      clearTimeout(timer);
      timer = undefined;
      leftMs -= performance.now() - since;
    } else if (!timer && !isPaused) {
      since = performance.now();
      timer = setTimeout(() => limit.abort(reason), leftMs);
    }
  };
  setPaused(false);
  try {
    const signal = AbortSignal.any([outer, limit.signal]);
    return await work(signal, { setPaused });
  } finally {
    setPaused(true);
  }
}
