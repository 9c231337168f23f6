import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Knex } from 'knex';

const TABLE = 'service_token_keys';
const ALGORITHM = 'ES256';
/** Time for which a key is used for signing. */
const SIGNS_MS = 3_600_000;
/** Time for which a key is published, long enough for all tokens signed with it to expire. */
const PUBLISHED_MS = 2 * SIGNS_MS;

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** A private key in use; `kid` identifies it to verifiers. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly key: PrivateKey;
}

/**
 * Manages the keys that sign service tokens. A private key never leaves the memory of the process
 * that created it; the public keys of all replicas are in the database, so that each replica can
 * publish all of them.
 */
export class SigningKeys {
  readonly #knex: Knex;
  readonly #now: () => number;
  #current?: { made: Promise<SigningKey>; until: number };

  constructor(options: { knex: Knex; now?: () => number }) {
    this.#knex = options.knex;
    this.#now = options.now ?? Date.now;
  }

  /** Returns the current signing key, which is at most an hour old. */
  async current(): Promise<SigningKey> {
    const now = this.#now();
    if (!this.#current || this.#current.until <= now) {
      const made = this.#create(now);
      const next = { made, until: now + SIGNS_MS };
      this.#current = next;
      made.catch(() => {
        if (this.#current === next) {
          this.#current = undefined;
        }
      });
    }
    return this.#current.made;
  }

  /** Returns the public keys of all replicas as a JSON Web Key Set (RFC 7517). */
  async published(): Promise<{ keys: JWK[] }> {
    const rows = await this.#knex(TABLE)
      .where('expires_at', '>', this.#now())
      .orderBy('kid')
      .select('jwk');
    return { keys: rows.map(({ jwk }) => JSON.parse(jwk)) };
  }

  async #create(now: number): Promise<SigningKey> {
    const kid = randomUUID();
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM);
    const jwk = { ...(await exportJWK(publicKey)), kid, alg: ALGORITHM };
    await this.#knex(TABLE).where('expires_at', '<=', now).delete();
    // Published before it is used for signing.
    await this.#knex(TABLE).insert({
      kid,
      jwk: JSON.stringify(jwk),
      expires_at: now + PUBLISHED_MS,
    });
    return { kid, alg: ALGORITHM, key: privateKey };
  }
}
