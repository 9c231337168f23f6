import { PlatformLog } from './PlatformLog.ts';

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

  it('leaves the colours of a part out where none are shown', () => {
    const { log, output } = createLog(false);
    log.part({ name: 'app' }, '\u001b[32mcompiled\u001b[39m');

    expect(output()).toBe('app     │ compiled\n');
  });

  it('colours the prefix and closes the colours that a part left open', () => {
    const { log, output } = createLog(true);
    log.part({ name: 'app' }, '\u001b[32mcompiled');

    expect(output()).toBe(
      '\u001b[36mapp     │\u001b[39m \u001b[32mcompiled\u001b[0m\n',
    );
  });

  it('drops noise, of every part and of one', () => {
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

  it('cuts out what is redundant', () => {
    const { log, output } = createLog(false);
    log.part(
      { name: 'app', redundant: [/ type="incomingRequest" .*/] },
      '"GET /" 200 type="incomingRequest" date="now"',
    );

    expect(output()).toBe('app     │ "GET /" 200\n');
  });
});
