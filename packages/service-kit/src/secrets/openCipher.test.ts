import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openCipher } from './openCipher.ts';
import { SecretCipher } from './SecretCipher.ts';

const VALUE = 'first-stored-value';
const PURPOSE = 'secrets of tests';

const cipherOf = (letter: string, purpose = PURPOSE) =>
  new SecretCipher({ secret: letter.repeat(32), purpose });

it('generates one key in development, and keeps it', async () => {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'secrets-key-'));
  const open = () =>
    openCipher({
      key: undefined,
      purpose: PURPOSE,
      dataDirectory,
      isProduction: false,
    });
  const [one, other] = await Promise.all([open(), open()]);
  const text = one!.encrypt('name', VALUE);
  expect(other!.decrypt('name', text)).toBe(VALUE);
  expect((await open())!.decrypt('name', text)).toBe(VALUE);
  const { mode } = await stat(path.join(dataDirectory, 'secrets-key'));
  expect(mode & 0o077).toBe(0);
  await rm(dataDirectory, { recursive: true });
});

it('decrypts only what it encrypted for that name and purpose', () => {
  const cipher = cipherOf('x');
  const text = cipher.encrypt('one', 'välue');
  expect(cipher.decrypt('one', text)).toBe('välue');
  expect(cipher.decrypt('two', text)).toBeUndefined();
  expect(cipher.decrypt('one', `${text.slice(0, -2)}AA`)).toBeUndefined();
  expect(cipherOf('y').decrypt('one', text)).toBeUndefined();
  expect(cipherOf('x', 'another').decrypt('one', text)).toBeUndefined();
  expect(cipher.decrypt('one', 'v1.a')).toBeUndefined();
  expect(cipher.encrypt('one', 'välue')).not.toBe(text);
});
