import { type Check, runChecks, summary } from './runChecks.ts';
import { repositoryRoot } from './layout.ts';

const checks: Check[] = [
  // Tests often wait, for processes, browsers and timers, so other checks run in the meantime.
  { script: 'test', meanwhile: ['build', 'typecheck', 'lint'] },
  // Uses the pages that are built by then.
  { script: 'test:e2e', after: 'build', meanwhile: ['test:fuzz'] },
];
const planned = checks.flatMap(({ script, meanwhile = [] }) => [
  script,
  ...meanwhile,
]).length;
const say = (text: string) => process.stdout.write(`${text}\n`);

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.abort());
}

async function main(): Promise<void> {
  const results = await runChecks({
    checks,
    command: ['yarn', 'run'],
    cwd: repositoryRoot,
    say,
    output: process.stdout,
    signal: interrupted.signal,
  });
  say(summary(results, planned));
  process.exitCode = results.filter(({ ok }) => ok).length === planned ? 0 : 1;
}

void main();
