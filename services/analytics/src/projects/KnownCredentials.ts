import type { CredentialKind } from './Project.ts';
import type { ProjectStore } from './ProjectStore.ts';
import { digestOf } from './secrets.ts';

/** How long another replica may take to hear of a revocation. */
const KEPT_MS = 10_000;
const KEPT_AT_MOST = 10_000;

/** Whose a key is. */
export interface KeyOwner {
  readonly projectId: string;
  readonly credentialId: string;
}

/**
 * Finds the projects of keys and tokens, without asking the database for each event: one
 * that was found before is looked up again after ten seconds.
 */
export class KnownCredentials {
  readonly #store: ProjectStore;
  readonly #now: () => number;
  readonly #kept = new Map<string, { owner: KeyOwner; until: number }>();

  constructor(options: { store: ProjectStore; now: () => number }) {
    this.#store = options.store;
    this.#now = options.now;
  }

  /**
   * The owner of a secret; undefined where it is not known or was revoked.
   *
   * @param options.beforeGuess - awaited before one is looked up that was never found:
   *   what it throws keeps guesses from the database.
   */
  async find(
    secret: string,
    {
      kind,
      beforeGuess,
    }: { kind: CredentialKind; beforeGuess: () => Promise<void> },
  ): Promise<KeyOwner | undefined> {
    const sha256 = digestOf(secret);
    const key = `${kind}:${sha256}`;
    const kept = this.#kept.get(key);
    if (kept && kept.until > this.#now()) {
      return kept.owner;
    }
    if (!kept) {
      await beforeGuess();
    }
    const owner = await this.#store.projectOf(sha256, kind);
    this.#kept.delete(key);
    if (owner) {
      if (this.#kept.size >= KEPT_AT_MOST) {
        this.#kept.clear();
      }
      this.#kept.set(key, { owner, until: this.#now() + KEPT_MS });
    }
    return owner;
  }

  /** Forgets everything: a credential was revoked. */
  forget(): void {
    this.#kept.clear();
  }
}
