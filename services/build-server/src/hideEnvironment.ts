import {
  closeSync,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Tells the program started anew that its standard input is its environment. */
const HANDED = 'SLIPWAY_ENVIRONMENT_ON_STDIN';

/** What Node, git and the system go by from the very start; no secrets stand in these. */
const PLAIN =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|TERM|TZ|TMPDIR|LANG|LC_\w+|HOSTNAME|NODE_(?:ENV|OPTIONS|EXTRA_CA_CERTS|ICU_DATA)|SSL_CERT_(?:FILE|DIR)|UV_THREADPOOL_SIZE|MALLOC_\w+|(?:NO|FORCE)_COLOR)$/;

/**
 * Keeps secrets out of `/proc/<pid>/environ`, which every process of the same user may
 * read. It shows what a process was started with, whatever became of it since: so this
 * one starts itself anew, in the same process, without what may be secret. That is
 * handed over in a file without a name, as standard input, and put back into
 * `process.env`, which lives in the memory of the process alone.
 *
 * Does nothing on systems that have no such file.
 */
export function hideEnvironment(): void {
  if (process.platform !== 'linux' || !process.execve) {
    return;
  }
  if (process.env[HANDED] !== undefined) {
    delete process.env[HANDED];
    Object.assign(process.env, readHanded());
    return;
  }
  const entries = Object.entries(process.env);
  const hidden = entries.filter(([name]) => !PLAIN.test(name));
  if (hidden.length === 0) {
    return;
  }
  handOver(JSON.stringify(Object.fromEntries(hidden)));
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    {
      ...Object.fromEntries(entries.filter(([name]) => PLAIN.test(name))),
      [HANDED]: '1',
    },
  );
}

/** Writes a text into a file that has no name any more, open as standard input. */
function handOver(text: string): void {
  const file = path.join(tmpdir(), `.build-server-${process.pid}`);
  // A file is opened as the lowest number that is free, and standard input is the only
  // one beside outputs that a new program is given.
  closeSync(0);
  rmSync(file, { force: true });
  const input = openSync(file, 'wx+', 0o600);
  rmSync(file);
  if (input !== 0) {
    throw new Error('Standard input could not be replaced');
  }
  writeSync(input, text);
}

function readHanded(): Record<string, string> {
  const buffer = Buffer.alloc(fstatSync(0).size);
  readSync(0, buffer, 0, buffer.length, 0);
  closeSync(0);
  openSync('/dev/null', 'r');
  return JSON.parse(buffer.toString('utf8'));
}
