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

/** The variable that is set if standard input contains the environment of this program. */
const HANDED = 'SLIPWAY_ENVIRONMENT_ON_STDIN';

/** Variables that Node, git and the system need at start; none contains a secret. */
const PLAIN =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|TERM|TZ|TMPDIR|LANG|LC_\w+|HOSTNAME|NODE_(?:ENV|OPTIONS|COMPILE_CACHE|EXTRA_CA_CERTS|ICU_DATA)|SSL_CERT_(?:FILE|DIR)|UV_THREADPOOL_SIZE|MALLOC_\w+|(?:NO|FORCE)_COLOR)$/;

/**
 * Keeps secrets out of `/proc/<pid>/environ`, which every process of the same user may
 * read. It shows the environment at the start of the process, regardless of later
 * changes, so the process re-executes itself without the variables that may be secret.
 * They are passed through standard input, in a file without a name, and restored in
 * `process.env`, which exists only in the memory of the process. Does nothing on systems
 * without this file.
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

/** Writes a text into an unlinked file that is opened as standard input. */
function handOver(text: string): void {
  const file = path.join(tmpdir(), `.build-server-${process.pid}`);
  // Opening a file returns the lowest free descriptor. Standard input is the only one,
  // besides the outputs, that a new program inherits.
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
