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
    log.part('app', 'compiled');
    log.part('backend', 'listening');
    log.say('all set');

    expect(output()).toBe(
      'app     │ compiled\nbackend │ listening\nslipway │ all set\n',
    );
  });

  it('leaves the colours of a part out where none are shown', () => {
    const { log, output } = createLog(false);
    log.part('app', '\u001b[32mcompiled\u001b[39m');

    expect(output()).toBe('app     │ compiled\n');
  });

  it('colours the prefix and closes the colours that a part left open', () => {
    const { log, output } = createLog(true);
    log.part('app', '\u001b[32mcompiled');

    expect(output()).toBe(
      '\u001b[36mapp     │\u001b[39m \u001b[32mcompiled\u001b[0m\n',
    );
  });

  it('drops noise, of every part and of one', () => {
    const { log, output } = createLog(true);
    log.part('app', '');
    log.part('app', '(node:1) [DEP0169] DeprecationWarning: `url.parse()`');
    log.part('app', '\u001b[34m<i> Loopback: localhost', [/^<i>/]);

    expect(output()).toBe('');
  });
});
