import { createHmac } from 'node:crypto';
import { isHmacOf, isSameSecret } from './signatures.ts';

it('compares texts of any length', () => {
  expect(isSameSecret('token', 'token')).toBe(true);
  expect(isSameSecret('token', 'tokens')).toBe(false);
  expect(isSameSecret('', 'token')).toBe(false);
  expect(isSameSecret('tökén', 'tökén')).toBe(true);
});

it('accepts a signature in either case, with its algorithm', () => {
  const options = { body: Buffer.from([0xff, 0x00]), secret: 'secret' };
  const hex = createHmac('sha256', 'secret').update(options.body).digest('hex');
  for (const same of [hex, hex.toUpperCase()]) {
    expect(isHmacOf(`sha256=${same}`, options)).toBe(true);
  }
  for (const other of [
    '',
    hex,
    `sha1=${hex}`,
    `sha256=${hex.slice(1)}`,
    `sha256=${hex.replace(/./g, 'g')}`,
  ]) {
    expect(isHmacOf(other, options)).toBe(false);
  }
});
