import { type Row, runChecks, summary } from './runChecks.ts';
import { repositoryRoot } from './layout.ts';

const rows: Row[] = [
  { scripts: ['test'] },
  // Browser tests wait most of the time. They need the pages of `build`.
  { scripts: ['build', 'test:pages', 'test:e2e'] },
  { scripts: ['typecheck', 'lint', 'test:fuzz'], yields: true },
];
const planned = rows.flatMap(({ scripts }) => scripts).length;
const say = (text: string) => process.stdout.write(`${text}\n`);

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.abort());
}

async function main(): Promise<void> {
  const results = await runChecks({
    rows,
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
