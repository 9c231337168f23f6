import { createIdeLogCleaner } from './programs';

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
