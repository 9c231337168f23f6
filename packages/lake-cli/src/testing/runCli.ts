import { Readable, Writable } from 'node:stream';
import { run } from '../run.ts';

/** The output and exit code of a run. */
export interface CliResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

function collector() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

/**
 * Runs the command line without a terminal.
 *
 * @param input - the content of its standard input.
 */
export async function runCli(
  args: string[],
  environment: NodeJS.ProcessEnv = {},
  input = '',
): Promise<CliResult> {
  const stdout = collector();
  const stderr = collector();
  const exitCode = await run(args, {
    environment,
    stdin: Readable.from([input]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}
