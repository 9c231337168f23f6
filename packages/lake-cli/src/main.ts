import { run } from './run.ts';

void run(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
}).then(exitCode => {
  process.exitCode = exitCode;
});
