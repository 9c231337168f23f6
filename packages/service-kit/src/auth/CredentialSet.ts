import { hash, timingSafeEqual } from 'node:crypto';
import type { CredentialConfig } from '../config/CommonConfig.ts';
import type { CredentialCaller } from './Caller.ts';

interface Entry {
  digest: Buffer;
  name: string;
  scopes: readonly string[];
  /** Names its budget, after the kind of credential. */
  budget: string;
}

/**
 * Credentials of the configuration, held as SHA-256 digests and compared in constant
 * time. Digests without salt do: keys are random, not chosen by people.
 */
export class CredentialSet {
  readonly #entries: readonly Entry[];

  constructor(credentials: readonly CredentialConfig[]) {
    this.#entries = credentials.map(({ name, key, sha256, scopes = [] }) => {
      const own =
        sha256 === undefined ? digest(key ?? '') : Buffer.from(sha256, 'hex');
      const identity = `${name}\n${own.toString('hex')}`;
      return { digest: own, name, scopes, budget: nameOf(identity) };
    });
  }

  /**
   * Finds who holds a credential.
   *
   * @param options.name - only of this holder, where the request names one.
   */
  find(
    credential: string,
    options: { kind: CredentialCaller['kind']; name?: string },
  ): { caller: CredentialCaller; budget: string } | undefined {
    const sent = digest(credential);
    let found: Entry | undefined;
    // Never stops early: the time tells nothing of which one it was.
    for (const entry of this.#entries) {
      const same = timingSafeEqual(entry.digest, sent);
      if (same && (options.name === undefined || options.name === entry.name)) {
        found = entry;
      }
    }
    return (
      found && {
        caller: { kind: options.kind, id: found.name, scopes: found.scopes },
        budget: `${options.kind}:${found.budget}`,
      }
    );
  }
}

/** Names a budget by a digest, so that no store learns whose it is. */
export function budgetOf(kind: string, identity: string): string {
  return `${kind}:${nameOf(identity)}`;
}

function nameOf(identity: string): string {
  return hash('sha256', identity, 'base64url');
}

function digest(value: string): Buffer {
  // By way of hex: a digest that Node hands over as a buffer costs five times as much.
  return Buffer.from(hash('sha256', value, 'hex'), 'hex');
}
