import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Knex } from 'knex';

const TABLE = 'service_token_keys';
const ALGORITHM = 'ES256';
/** A key signs for this long. */
const SIGNS_MS = 3_600_000;
/** A key is published for this long: what it signed last has expired long before. */
const PUBLISHED_MS = 2 * SIGNS_MS;

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** A private key in use, known to readers of its tokens by `kid`. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly key: PrivateKey;
}

/**
 * The keys that sign service tokens. The private half never leaves the memory of the
 * process that made it; the public halves of all replicas are in the database, so that
 * each replica can publish them all.
 */
export class SigningKeys {
  readonly #knex: Knex;
  readonly #now: () => number;
  #current?: { made: Promise<SigningKey>; until: number };

  constructor(options: { knex: Knex; now?: () => number }) {
    this.#knex = options.knex;
    this.#now = options.now ?? Date.now;
  }

  /** The key to sign with now; an hour old at most. */
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

  /** The public keys of every replica, as a JSON Web Key Set (RFC 7517). */
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
    // Published before anything is signed with it.
    await this.#knex(TABLE).insert({
      kid,
      jwk: JSON.stringify(jwk),
      expires_at: now + PUBLISHED_MS,
    });
    return { kid, alg: ALGORITHM, key: privateKey };
  }
}
