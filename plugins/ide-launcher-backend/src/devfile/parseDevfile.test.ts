import { patient } from '@slipway/dev-runner/src/patience.ts';
import { parseYaml } from './parseDevfile';

function messagesOf(text: string): string[] {
  const result = parseYaml(text);
  return result.ok ? [] : result.faults.map(({ message }) => message);
}

/** Maximum CPU time for a hostile file, on a busy machine. */
const MAX_MS = patient(1_000);

/** Returns the CPU time of this process in milliseconds, which is independent of other processes. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

describe('parseYaml', () => {
  it('reads YAML of the core schema', () => {
    expect(
      parseYaml(
        '\uFEFFa: 1\nb: yes\nc: 2026-01-01\nd: &x [日本, "🚀"]\ne: *x\n',
      ),
    ).toEqual({
      ok: true,
      value: {
        a: 1,
        b: 'yes',
        c: '2026-01-01',
        d: ['日本', '🚀'],
        e: ['日本', '🚀'],
      },
    });
  });

  it.each([
    ['a: [1, 2', /^line 1, column \d+: .*flow/i],
    ['a: 1\nb: "x', /^line 2, column \d+: Missing closing "quote/],
    ['a: 1\n\tb: 2', /^line 2, column 1: Tabs/],
    ['a: 1\nb: 2\na: 3', /^line 3, column 1: Map keys must be unique/],
    ['a: 1\n---\nb: 2', /^line 2, column 1: a devfile is one YAML document/],
    ['a: *missing', /Unresolved alias.*missing/],
    ['a: !!binary aGk=', /^line 1, column 4: Unresolved tag/],
    ['? [x]\n: 1', /^line 1, column \d+: With stringKeys/],
    ['', /^the file is empty$/],
    ['# only a comment', /^the file is empty$/],
  ])('says where %j is broken', (text, message) => {
    const messages = messagesOf(text);
    expect(messages[0]).toMatch(message);
  });

  it.each(['__proto__', 'constructor', 'prototype'])(
    'refuses the key %s wherever it stands',
    key => {
      const text = `a:\n  - b: 1\n    "${key}": {polluted: true}\n`;
      expect(parseYaml(text)).toEqual({
        ok: false,
        faults: [
          {
            path: ['a', 0, key],
            message: `line 3, column 5: the key '${key}' is not allowed`,
          },
        ],
      });
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    },
  );

  const bomb = [
    'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
    ...Array.from({ length: 12 }, (_, i) => {
      const refs = Array(10).fill(`*a${i}`).join(', ');
      return `a${i + 1}: &a${i + 1} [${refs}]`;
    }),
  ].join('\n');
  const wideAlias = `a: &a [${'x,'.repeat(5_000)}]\nb: [${'*a,'.repeat(50)}]`;
  const longAlias = `a: &a ${'x'.repeat(900_000)}\nb: [${'*a,'.repeat(20)}]`;

  it.each([
    ['an alias bomb', bomb, 'the aliases expand too much'],
    ['a wide alias', wideAlias, 'the file has too many elements'],
    ['a long alias', longAlias, 'the file has too many elements'],
    ['an alias to itself', 'a: &a [*a]', 'the file is nested too deeply'],
    [
      'deep lists',
      '['.repeat(500_000),
      'line 1: the file is nested too deeply',
    ],
    [
      'deep maps',
      '{a: '.repeat(200_000),
      'line 1: the file is nested too deeply',
    ],
    [
      'deep blocks',
      '- '.repeat(500_000),
      'line 1: the file is nested too deeply',
    ],
    [
      'deep keys',
      '? '.repeat(500_000),
      'line 1: the file is nested too deeply',
    ],
    [
      'chained keys',
      'a: '.repeat(300_000),
      'line 1: the file is nested too deeply',
    ],
    [
      'a staircase',
      Array.from({ length: 1_400 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
      'line 258: the file is nested too deeply',
    ],
    [
      'many keys',
      Array.from({ length: 60_000 }, (_, i) => `k${i}: v`).join('\n'),
      'the file has too many elements',
    ],
    [
      'many anchors',
      '&a '.repeat(340_000),
      'line 1: the file has too many elements',
    ],
    [
      'many documents',
      '---\n'.repeat(250_000),
      'the file has too many elements',
    ],
  ])('refuses %s quickly', (_, text, message) => {
    const started = cpuTime();
    const messages = messagesOf(text);
    expect(cpuTime() - started).toBeLessThan(MAX_MS);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(message);
  });

  // Inputs with quadratic parsing time: 9 s and more for a file of 1 MiB without
  // limits.
  it.each([
    ['anchors', '&a '.repeat(8_000)],
    ['keys', Array.from({ length: 3_500 }, (_, i) => `k${i}: v`).join('\n')],
  ])('is still quick with as many %s as the limits allow', (_, text) => {
    const started = cpuTime();
    expect(messagesOf(text)).not.toContain(
      'line 1: the file has too many elements',
    );
    expect(cpuTime() - started).toBeLessThan(3 * MAX_MS);
  });

  it('accepts long texts and wide indentation in texts', () => {
    const line = ' '.repeat(400);
    const text = `a: |\n${`  ${line}x\n`.repeat(2_000)}b: 'y'\n`;
    expect(parseYaml(text).ok).toBe(true);
  });
});
