/** Why a command was ended before it ended itself. */
export type Interruption =
  | { kind: 'stopped'; by: string }
  | { kind: 'timeout'; seconds: number }
  | { kind: 'shutdown' }
  /** Another process has taken the build for abandoned. */
  | { kind: 'lost' };

/** Takes what a program prints. */
export type Output = (
  chunk: Buffer,
  stream: 'stdout' | 'stderr',
) => Promise<void>;

/** A program to run for a build. */
export interface Command {
  /** Program and arguments; no shell looks at them. */
  argv: readonly string[];
  /** Beside what every command of the build has. */
  environment: Readonly<Record<string, string>>;
  /** Its reason is an {@link Interruption}. */
  signal: AbortSignal;
  /** Takes output as it comes; the program waits where it is slow. */
  output: Output;
}

/** A file that a build left. */
export interface Report {
  /** Relative to the work directory. */
  path: string;
  text: string;
}

/** A report cannot be read; the message is for people. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

/** An {@link Interruption} in words. */
export function describeInterruption(interruption: Interruption): string {
  switch (interruption.kind) {
    case 'stopped':
      return `Stopped by ${interruption.by}`;
    case 'timeout':
      return `Timed out after ${interruption.seconds} seconds`;
    case 'shutdown':
      return 'The build server was shut down';
    default:
      return 'The build server lost its lease on the build';
  }
}
