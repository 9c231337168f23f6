import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

const VERSION = 'v1';
const IV_BYTES = 12;

/** Encrypts secrets for storage: AES-256-GCM, bound to the name of the secret. */
export class SecretCipher {
  readonly #key: Buffer;

  /**
   * Creates a cipher.
   *
   * @param options.secret - from the configuration; the key is derived from it.
   * @param options.purpose - what is encrypted; each purpose has its own key.
   */
  constructor(options: { secret: string; purpose: string }) {
    const { secret, purpose } = options;
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  }

  encrypt(name: string, value: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    // Binds the ciphertext to its name: stored under another name, it does not decrypt.
    cipher.setAAD(Buffer.from(name));
    const data = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
    return [
      VERSION,
      ...[iv, cipher.getAuthTag(), data].map(part =>
        part.toString('base64url'),
      ),
    ].join('.');
  }

  /**
   * Decrypts a text.
   *
   * @returns undefined if the text was encrypted with another key or for another name, or was
   *   modified.
   */
  decrypt(name: string, text: string): string | undefined {
    const [version, ...parts] = text.split('.');
    const [iv, tag, data] = parts.map(part => Buffer.from(part, 'base64url'));
    if (version !== VERSION || data === undefined || tag.length !== 16) {
      return undefined;
    }
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, iv);
      decipher.setAAD(Buffer.from(name));
      decipher.setAuthTag(tag);
      return Buffer.concat([decipher.update(data), decipher.final()]).toString(
        'utf8',
      );
    } catch {
      return undefined;
    }
  }
}
