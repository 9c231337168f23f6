import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { SecretMask } from './SecretMask.ts';

const SECRET = 'gh0st-écret+token/7';

/** Returns the masked log of output that arrived in parts. */
function logged(mask: SecretMask, parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts.map(part => mask.next(part)), mask.end()]);
}

it('leaves no secret, however its output is cut', () => {
  const around = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(
      around,
      around,
      fc.array(fc.nat(200), { maxLength: 8 }),
      (before, after, cuts) => {
        const bytes = Buffer.from(`${before}${SECRET}${after}`);
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const parts = at.map((cut, index) =>
          bytes.subarray(cut, at[index + 1]),
        );
        expect(logged(new SecretMask([SECRET]), parts)).toEqual(
          Buffer.from(`${before}****${after}`),
        );
      },
    ),
  );
});

it.each([
  ['base64', Buffer.from(SECRET).toString('base64')],
  ['base64 of a line', Buffer.from(`${SECRET}\n`).toString('base64')],
  ['base64 behind a name', Buffer.from(`ci:${SECRET}`).toString('base64')],
  ['base64 between names', Buffer.from(`ada:${SECRET};x`).toString('base64')],
  ['base64 for addresses', Buffer.from(SECRET).toString('base64url')],
  ['an address', encodeURIComponent(SECRET)],
  ['hex', Buffer.from(SECRET).toString('hex')],
  ['capital hex', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ['reverse', Array.from(SECRET).reverse().join('')],
])('hides it in %s', (_, form) => {
  const text = logged(new SecretMask([SECRET]), [
    Buffer.from(form.slice(0, 9)),
    Buffer.from(form.slice(9)),
  ]).toString();
  expect(text).toContain('****');
  // At most the characters shared with neighbouring bytes remain.
  expect(text.replace('****', '').length).toBeLessThanOrEqual(10);
});

it('hides it in JSON', () => {
  const mask = new SecretMask(['quoted"back\\slash']);
  expect(mask.text(JSON.stringify({ a: 'quoted"back\\slash' }))).toBe(
    '{"a":"****"}',
  );
});

it('hides what programs get of a secret that is not well-formed', () => {
  expect(new SecretMask(['abc\ud800defgh']).text('abc\ufffddefgh')).toBe(
    '****',
  );
});

it('hides lines of base64, and what echo makes of a key in JSON', () => {
  const lines = Array.from({ length: 4 }, (_, index) => `${index}abcdefgh`);
  const key = `{"key":"${lines.join('\\n').repeat(5)}"}`;
  const mask = new SecretMask([key]);
  const encoded = Buffer.from(`${key}\n`).toString('base64');
  const wrapped = encoded.match(/.{1,76}/g)!;
  expect(wrapped.length).toBeGreaterThan(2);
  expect(mask.text(wrapped.join('\n'))).toBe(
    wrapped.map(() => '****').join('\n'),
  );
  expect(mask.text(`key:\n${lines[1]}\n${lines[2]}`)).toBe('key:\n****\n****');
});

it('hides each line of a key, and a longer secret rather than a shorter one', () => {
  const key = '-----BEGIN KEY-----\nabcdefghijkl\nmnopqrstuvwx\n';
  const mask = new SecretMask([key, 'password', 'password-of-ada']);
  expect(mask.text('the key: mnopqrstuvwx')).toBe('the key: ****');
  const parts = ['my password', '-of-ada, password', '; pass', 'ing'];
  expect(
    logged(
      mask,
      parts.map(part => Buffer.from(part)),
    ).toString(),
  ).toBe('my ****, ****; passing');
});

it('releases text immediately if it cannot be the start of a secret', () => {
  const mask = new SecretMask([SECRET]);
  expect(mask.next(Buffer.from('Compiling gh')).toString()).toBe('Compiling ');
  expect(mask.next(Buffer.from('c')).toString()).toBe('ghc');
  expect(new SecretMask([]).next(Buffer.from('all')).toString()).toBe('all');
});

it('compares lines with few of the many forms of a key, as fast as programs write them', () => {
  const key = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  const line = Buffer.from(`${'compiled src/cart/Basket.ts '.repeat(3)}\n`);
  const mask = new SecretMask([key]);
  const compared = [
    vi.spyOn(String.prototype, 'startsWith'),
    vi.spyOn(String.prototype, 'indexOf'),
    vi.spyOn(String.prototype, 'includes'),
    vi.spyOn(RegExp.prototype, 'exec'),
  ];
  compared.forEach(spy => spy.mockClear());
  for (let count = 0; count < 10; count += 1) {
    mask.next(line);
  }
  const comparisons = compared
    .map(spy => spy.mock.calls.length)
    .reduce((sum, calls) => sum + calls, 0);
  compared.forEach(spy => spy.mockRestore());
  // Not even one at each position, where it may begin; there are hundreds of forms.
  expect(comparisons).toBeLessThan(10 * line.length);
});
