import { hash, randomBytes } from 'node:crypto';
import type { Project } from './Project.ts';

/** `capture`: a project key, which sends events. `query`: an API token, which runs queries. */
export type CredentialKind = 'capture' | 'query';

/** The scopes that a token has by default: running queries, exporting events, reading persons. */
export const READ_SCOPES = ['query', 'export', 'persons'] as const;

/** All scopes of API tokens; only tokens with an explicit `import` scope can write. */
export const TOKEN_SCOPES = [...READ_SCOPES, 'import'] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** A key or token, without the secret. Times are milliseconds since the Unix epoch. */
export interface Credential {
  readonly id: string;
  readonly projectId: string;
  readonly kind: CredentialKind;
  readonly name: string;
  /** The scopes that a token is limited to; undefined for all {@link READ_SCOPES}. */
  readonly scopes?: readonly TokenScope[];
  /** The last characters of the secret; empty if only its digest is known. */
  readonly hint: string;
  /** The project key itself, which is public; undefined for tokens, and if only its digest is known. */
  readonly key?: string;
  /** The time from which a token is invalid; undefined if it does not expire. */
  readonly expiresAt?: number;
  /** Credentials from the configuration cannot be revoked in the portal. */
  readonly origin: 'configuration' | 'portal';
  readonly createdAt: number;
  readonly createdBy: string;
}

/** A {@link Credential} to be stored. */
export interface NewCredential extends Credential {
  /** SHA-256 of the secret in hexadecimal. */
  readonly sha256: string;
}

/** The project that a key or token belongs to, and what the credential permits. */
export interface KeyOwner extends Pick<Project, 'origins'> {
  readonly projectId: string;
  readonly credentialId: string;
  /** The scopes that a token is limited to; undefined for no limit. */
  readonly scopes?: readonly TokenScope[];
  /** The time from which it is invalid; undefined if it does not expire. */
  readonly expiresAt?: number;
}

const PREFIXES: Readonly<Record<CredentialKind, string>> = {
  capture: 'phc_',
  query: 'phx_',
};

/** Creates a random secret. */
export function createSecret(kind: CredentialKind): string {
  return PREFIXES[kind] + randomBytes(24).toString('base64url');
}

/**
 * Returns the SHA-256 of a secret in hexadecimal, for storing. It needs no salt: secrets are
 * random, not chosen by people.
 */
export function digestOf(secret: string): string {
  return hash('sha256', secret);
}

/** Returns the last characters of a secret, so that people can recognise it. */
export function hintOf(secret: string): string {
  return secret.slice(-4);
}
