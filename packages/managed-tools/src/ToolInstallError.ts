import { CustomErrorBase } from '@backstage/errors';

/** The kind of failure of an installation, for code that reacts to it. */
export type ToolInstallFailure =
  | 'npm-missing'
  | 'network'
  | 'not-published'
  | 'disk-full'
  | 'no-permission'
  | 'unsupported-platform'
  | 'integrity'
  | 'aborted'
  | 'failed';

/** Thrown if an installation fails. The message is a single line for people. */
export class ToolInstallError extends CustomErrorBase {
  name = 'ToolInstallError' as const;

  readonly failure: ToolInstallFailure;

  constructor(failure: ToolInstallFailure, message: string, cause?: unknown) {
    super(message, cause);
    this.failure = failure;
  }
}

const NPM_FAULTS: {
  pattern: RegExp;
  failure: ToolInstallFailure;
  text: string;
}[] = [
  {
    pattern: /\bENOSPC\b/,
    failure: 'disk-full',
    text: 'the disk is full',
  },
  {
    pattern: /\b(EACCES|EPERM|EROFS)\b/,
    failure: 'no-permission',
    text: 'a file could not be written',
  },
  {
    pattern: /\bEINTEGRITY\b/,
    failure: 'integrity',
    text: 'a downloaded package does not match its checksum',
  },
  {
    pattern:
      /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR)\b|network/i,
    failure: 'network',
    text: 'the npm registry could not be reached',
  },
  {
    pattern: /\b(E404|ETARGET)\b/,
    failure: 'not-published',
    text: 'the npm registry does not have a package it needs',
  },
];

/**
 * Returns an error that names the cause of a failed npm run, found in its output.
 *
 * @param title - the failed step, e.g. "Downloading code-server"
 * @param output - the last lines of npm's output
 */
export function npmFailure(title: string, output: string): ToolInstallError {
  const fault = NPM_FAULTS.find(({ pattern }) => pattern.test(output));
  if (fault) {
    return new ToolInstallError(
      fault.failure,
      `${title} failed: ${fault.text}`,
    );
  }
  const detail = output
    .split('\n')
    .map(line => line.replace(/^npm (error|ERR!)\s*/, '').trim())
    .find(line => line !== '' && !line.startsWith('npm '));
  return new ToolInstallError(
    'failed',
    `${title} failed${detail ? `: ${detail}` : ''}`,
  );
}
