import { run } from './run.ts';

void run(process.argv.slice(2), {
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
}).then(exitCode => {
  process.exitCode = exitCode;
});
