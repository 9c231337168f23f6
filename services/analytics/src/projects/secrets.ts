import { createHash, randomBytes } from 'node:crypto';
import type { CredentialKind } from './Project.ts';

const PREFIXES: Readonly<Record<CredentialKind, string>> = {
  capture: 'phc_',
  query: 'phx_',
};

/** A new secret, which nobody can guess. */
export function createSecret(kind: CredentialKind): string {
  return PREFIXES[kind] + randomBytes(24).toString('base64url');
}

/** What is stored of a secret. Without salt: secrets are random, not chosen by people. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The end of a secret, for people to tell theirs apart. */
export function hintOf(secret: string): string {
  return secret.slice(-4);
}
