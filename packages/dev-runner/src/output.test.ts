import { addressTable, LineSplitter, PlatformLog } from './output.ts';
import { describeParts } from './parts.ts';

describe('addressTable', () => {
  it('aligns the columns', () => {
    const table = addressTable([
      { label: 'Portal', url: 'http://localhost:3000', signIn: 'as ada' },
      { label: 'API', url: 'http://localhost:7007/api', signIn: 'a token' },
    ]);

    expect(table.split('\n')).toEqual([
      '  Portal  http://localhost:3000      as ada',
      '  API     http://localhost:7007/api  a token',
    ]);
  });
});

function collect() {
  const lines: string[] = [];
  return { lines, splitter: new LineSplitter(line => lines.push(line)) };
}

describe('LineSplitter', () => {
  afterEach(() => vi.useRealTimers());

  it('joins a line that arrives in chunks', () => {
    const { lines, splitter } = collect();
    splitter.write('star');
    splitter.write('ting\nrea');
    splitter.write('dy\r\n');

    expect(lines).toEqual(['starting', 'ready']);
  });

  it('shows an incomplete line after a while', () => {
    vi.useFakeTimers();
    const { lines, splitter } = collect();
    splitter.write('Continue? ');
    expect(lines).toEqual([]);

    vi.advanceTimersByTime(1_000);
    expect(lines).toEqual(['Continue? ']);
  });

  it('emits the rest once when flushed', () => {
    const { lines, splitter } = collect();
    splitter.write('last words');
    splitter.flush();
    splitter.flush();

    expect(lines).toEqual(['last words']);
  });

  it('keeps only the last state of a progress line', () => {
    const { lines, splitter } = collect();
    splitter.write('10%\r50%\r100%\n');

    expect(lines).toEqual(['100%']);
  });
});

function createLog(colour: boolean, options: { verbose?: boolean } = {}) {
  let output = '';
  const log = new PlatformLog({
    parts: ['app', 'backend'],
    write: text => {
      output += text;
    },
    colour,
    ...options,
  });
  return { log, output: () => output };
}

describe('PlatformLog', () => {
  it('prefixes every line with its part, aligned', () => {
    const { log, output } = createLog(false);
    log.part({ name: 'app' }, 'compiled');
    log.part({ name: 'backend' }, 'listening');
    log.say('all set');

    expect(output()).toBe(
      'app     │ compiled\nbackend │ listening\nslipway │ all set\n',
    );
  });

  it('removes colours if the terminal has none', () => {
    const { log, output } = createLog(false);
    log.part({ name: 'app' }, '\u001b[32mcompiled\u001b[39m');

    expect(output()).toBe('app     │ compiled\n');
  });

  it('colours the prefix, and resets colours that a part left open', () => {
    const { log, output } = createLog(true);
    log.part({ name: 'app' }, '\u001b[32mcompiled');

    expect(output()).toBe(
      '\u001b[36mapp     │\u001b[39m \u001b[32mcompiled\u001b[0m\n',
    );
  });

  it('drops the noise of all parts and of single parts', () => {
    const { log, output } = createLog(true);
    log.part({ name: 'app' }, '');
    log.part(
      { name: 'app' },
      '(node:1) [DEP0169] DeprecationWarning: `url.parse()`',
    );
    log.part(
      { name: 'app', noise: [/^<i>/] },
      '\u001b[34m<i> Loopback: localhost',
    );

    expect(output()).toBe('');
  });

  it('removes redundant text, also between colours', () => {
    const { log, output } = createLog(true);
    log.part(
      { name: 'app', redundant: [/ type="incomingRequest" .*/] },
      '"GET /" 404 \u001b[36mtype\u001b[39m="incomingRequest" date="now"',
    );

    expect(output()).toBe('\u001b[36mapp     │\u001b[39m "GET /" 404\n');
  });

  it('logs everything if asked to', () => {
    const { log, output } = createLog(false, { verbose: true });
    log.part(
      { name: 'app', noise: [/"GET /], redundant: [/ type=.*/] },
      '"GET /" 200 type="incomingRequest"',
    );

    expect(output()).toBe('app     │ "GET /" 200 type="incomingRequest"\n');
  });

  it('drops requests that succeeded, and keeps the others', () => {
    const { log, output } = createLog(false);
    const parts = describeParts({
      portal: 'http://localhost:3000',
      api: 'http://localhost:7007',
      ide: 'http://localhost:7010',
      apiPort: 7007,
      idePort: 7010,
      services: [
        {
          name: 'flags',
          configKey: 'flags',
          title: 'Flags',
          port: 4242,
          proxied: true,
          signIn: 'a token',
          stateFolders: [],
          url: 'http://localhost:4242',
        },
      ],
    });
    const backend = parts.find(({ name }) => name === 'backend')!;
    const flags = parts.find(({ name }) => name === 'flags')!;
    for (const status of [200, 304, 404]) {
      log.part(
        backend,
        `2026-11-27T17:01:30.785Z rootHttpRouter info "GET / HTTP/1.1" ${status} 0 "-" "node"`,
      );
      log.part(
        flags,
        `2026-11-27T17:01:30Z info request reqId=1 method=GET route=/ status=${status} ms=1`,
      );
    }

    expect(output()).toBe(
      'backend │ 2026-11-27T17:01:30.785Z rootHttpRouter info "GET / HTTP/1.1" 404 0 "-" "node"\n' +
        'flags   │ info request reqId=1 method=GET route=/ status=404 ms=1\n',
    );
  });
});
