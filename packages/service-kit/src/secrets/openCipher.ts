import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SecretCipher } from './SecretCipher.ts';

const FILE = 'secrets-key';

/**
 * Creates the cipher for stored secrets. In development, a missing key is generated and kept in the
 * data directory.
 *
 * @param options.key - from the configuration.
 * @param options.purpose - what is encrypted; each purpose has its own key.
 * @returns undefined in production without a key: a generated key next to the data would not
 *   protect it.
 */
export async function openCipher(options: {
  key: string | undefined;
  purpose: string;
  dataDirectory: string;
  isProduction: boolean;
}): Promise<SecretCipher | undefined> {
  const { key, purpose, dataDirectory, isProduction } = options;
  if (key === undefined && isProduction) {
    return undefined;
  }
  return new SecretCipher({
    secret: key ?? (await developmentKey(dataDirectory)),
    purpose,
  });
}

/** Reads the generated key; the first of several processes creates it. */
async function developmentKey(dataDirectory: string): Promise<string> {
  const file = path.join(dataDirectory, FILE);
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  await mkdir(dataDirectory, { recursive: true });
  await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600 });
  try {
    // Unlike a rename, a link never replaces the key of another process.
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  } finally {
    await rm(draft);
  }
  return readFile(file, 'utf8');
}
