import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bufferLines } from './bufferLines.ts';

const MODULE = new URL('./bufferLines.ts', import.meta.url).href;

/** Returns the standard output of a process that runs this code. */
function outputOf(code: string): string {
  return execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { bufferLines } from '${MODULE}'; const lines = bufferLines(1); ${code}`,
    ],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    },
  );
}

it('writes every line once, in order, when the process exits', () => {
  const output = outputOf(
    'for (let i = 0; i < 20_000; i++) lines.write(`${i} ä\\n`); process.exit(0);',
  );
  expect(output).toBe(
    Array.from({ length: 20_000 }, (_, line) => `${line} ä\n`).join(''),
  );
});

it('keeps the order of lines if a write is late when the process exits', () => {
  const output = outputOf(`
    const { randomFill } = await import('node:crypto');
    // Keeps the only thread that writes busy for some milliseconds.
    randomFill(Buffer.alloc(2_000_000), () => {});
    for (let i = 0; i < 3_000; i++) lines.write(\`\${i} ä\\n\`);
    process.exit(0);
  `);
  expect(output).toBe(
    Array.from({ length: 3_000 }, (_, line) => `${line} ä\n`).join(''),
  );
});

it.each(['', 'process.on("beforeExit", () => lines.write("end\\n"));'])(
  'writes the last lines when the event loop ends',
  code => {
    const output = outputOf(`${code} lines.write("line\\n");`);
    expect(output).toBe(code ? 'line\nend\n' : 'line\n');
  },
);

it('writes lines while the process runs', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'lines-'));
  const file = path.join(directory, 'log');
  bufferLines(file).write('line\n');
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe('line\n'));
  rmSync(directory, { recursive: true });
});
