import { runChecks, summary } from './runChecks.ts';
import { repositoryRoot } from './layout.ts';

const scripts = ['test', 'test:fuzz', 'test:e2e', 'lint', 'typecheck', 'build'];
const say = (text: string) => process.stdout.write(`${text}\n`);

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.abort());
}

async function main(): Promise<void> {
  const results = await runChecks({
    scripts,
    command: ['yarn', 'run'],
    cwd: repositoryRoot,
    say,
    output: process.stdout,
    signal: interrupted.signal,
  });
  say(summary(results, scripts.length));
  process.exitCode =
    results.filter(({ ok }) => ok).length === scripts.length ? 0 : 1;
}

void main();
