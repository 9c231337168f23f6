import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdeLogCleaner, followIdeLog } from './programs';

function shown(lines: string[]): string[] {
  const clean = createIdeLogCleaner();
  return lines.flatMap(line => clean(line) ?? []);
}

describe('createIdeLogCleaner', () => {
  it('leaves out the trace of the missing logger, and what stands around it', () => {
    expect(
      shown([
        '[2026-11-21T05:16:34.385Z] info  code-server 4.139.1',
        '[05:16:34] ',
        '',
        'Error: Could not locate the bindings file. Tried:',
        ' → /tools/spdlog.node',
        '    at bindings (bindings.js:126:9) {',
        '  tries: [',
        "    '/tools/spdlog.node'",
        '  ]',
        '}',
        '[05:16:34] Extension host agent started.',
      ]),
    ).toEqual(['info  code-server 4.139.1', 'Extension host agent started.']);
  });

  it('shows every other error', () => {
    const lines = ['Error: listen EADDRINUSE', '    at Server.listen', '}'];
    expect(shown(lines)).toEqual(lines);
  });

  it('recognizes the trace of the terminals, which ends without an object', () => {
    expect(
      shown([
        '[IPC Library: Pty Host] Error: Could not locate the bindings file. Tried:',
        '    at bindings (bindings.js:126:9)',
        'File not found: /tools/vsda/rust/web/vsda.js',
        '[05:16:34] ptyHost terminated unexpectedly with code null',
      ]),
    ).toEqual(['ptyHost terminated unexpectedly with code null']);
  });
});

describe('followIdeLog', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ide-log-'));
    file = join(folder, 'ide.log');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('forwards what is appended from a position', async () => {
    await writeFile(file, 'An earlier start\n');
    const lines: string[] = [];
    const stop = followIdeLog(file, 17, line => lines.push(line));
    await appendFile(file, '[05:16:34] Agent started.\nSto');
    await vi.waitFor(() => expect(lines).toEqual(['Agent started.']));
    await appendFile(file, 'pped');
    await stop();
    expect(lines).toEqual(['Agent started.', 'Stopped']);
  });

  it('forwards all remaining lines before it stops, however long', async () => {
    const long = Array.from({ length: 100 }, (_, index) =>
      `${index} `.padEnd(2_000, '-'),
    );
    await writeFile(file, long.join('\n'));
    const lines: string[] = [];
    await followIdeLog(file, 0, line => lines.push(line))();
    expect(lines).toEqual(long);
  });

  it('forwards a limited number of lines', async () => {
    await writeFile(file, 'again\n'.repeat(50_000));
    const lines: string[] = [];
    await followIdeLog(file, 0, line => lines.push(line))();
    expect(lines).toHaveLength(500);
    expect(lines.at(-1)).toBe(
      'Further output is only in the log file of the workspace',
    );
  });

  it('forwards nothing of a file that was never written', async () => {
    const onLine = vi.fn();
    await followIdeLog(file, 0, onLine)();
    expect(onLine).not.toHaveBeenCalled();
  });
});
