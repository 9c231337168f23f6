import { addressTable, LineSplitter, PlatformLog } from './output.ts';

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

function createLog(colour: boolean) {
  let output = '';
  const log = new PlatformLog({
    parts: ['app', 'backend'],
    write: text => {
      output += text;
    },
    colour,
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

  it('removes redundant text', () => {
    const { log, output } = createLog(false);
    log.part(
      { name: 'app', redundant: [/ type="incomingRequest" .*/] },
      '"GET /" 200 type="incomingRequest" date="now"',
    );

    expect(output()).toBe('app     │ "GET /" 200\n');
  });
});
