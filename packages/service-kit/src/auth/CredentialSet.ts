import { hash, timingSafeEqual } from 'node:crypto';
import type { CredentialConfig } from '../config/CommonConfig.ts';
import type { CredentialCaller } from './Caller.ts';

/** Characters; what is longer is not even digested. */
const LONGEST = 1_024;

interface Entry {
  digest: Buffer;
  /** What every request with the credential comes to. */
  known: { caller: CredentialCaller; budget: string };
}

/**
 * Credentials of the configuration, held as SHA-256 digests and compared in constant
 * time. Digests without salt do: keys are random, not chosen by people.
 */
export class CredentialSet {
  readonly #entries: readonly Entry[];

  /** @param kind - as which its callers are known. */
  constructor(
    kind: CredentialCaller['kind'],
    credentials: readonly CredentialConfig[],
  ) {
    this.#entries = credentials.map(({ name, key, sha256, scopes = [] }) => {
      const own =
        sha256 === undefined ? digest(key ?? '') : Buffer.from(sha256, 'hex');
      const identity = `${name}\n${own.toString('hex')}`;
      return {
        digest: own,
        known: {
          caller: { kind, id: name, scopes },
          budget: budgetOf(kind, identity),
        },
      };
    });
  }

  /**
   * Finds who holds a credential.
   *
   * @param holder - only of this one, where the request names one.
   */
  find(credential: string, holder?: string): Entry['known'] | undefined {
    if (credential.length > LONGEST) {
      return undefined;
    }
    const sent = digest(credential);
    let found: Entry['known'] | undefined;
    // Never stops early: the time tells nothing of which one it was.
    for (const { digest: own, known } of this.#entries) {
      const same = timingSafeEqual(own, sent);
      if (same && (holder === undefined || holder === known.caller.id)) {
        found = known;
      }
    }
    return found;
  }
}

/** Names a budget by a digest, so that no store learns whose it is. */
export function budgetOf(kind: string, identity: string): string {
  return `${kind}:${hash('sha256', identity, 'base64url')}`;
}

function digest(value: string): Buffer {
  // By way of hex: a digest that Node hands over as a buffer costs five times as much.
  return Buffer.from(hash('sha256', value, 'hex'), 'hex');
}
