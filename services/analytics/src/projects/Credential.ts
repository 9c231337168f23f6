import { createHash, randomBytes } from 'node:crypto';
import { readList } from './readList.ts';

/** `capture`: a project key, which sends events. `query`: an API token, which runs queries. */
export type CredentialKind = 'capture' | 'query';

/** The scopes that a token without scopes has: queries, exports of all events, persons. */
export const READ_SCOPES = ['query', 'export', 'persons'] as const;

/** All scopes of API tokens; only a token that names `import` can write. */
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
  /** Its last characters; empty if only its digest is known. */
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

/** A row of the table of credentials. */
export interface CredentialRow {
  id: string;
  project_id: string;
  kind: Credential['kind'];
  name: string;
  scopes: string | null;
  hint: string;
  shown_key: string | null;
  expires_at: number | string | null;
  origin: Credential['origin'];
  created_at: number | string;
  created_by: string;
}

/** Reads a credential from a row. */
export function toCredential(row: CredentialRow): Credential {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    name: row.name,
    scopes: readList(row.scopes) as TokenScope[] | undefined,
    hint: row.hint,
    key: row.shown_key ?? undefined,
    expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
    origin: row.origin,
    createdAt: Number(row.created_at),
    createdBy: row.created_by,
  };
}

/** Converts a credential to a row. */
export function toRow(credential: NewCredential): object {
  return {
    id: credential.id,
    project_id: credential.projectId,
    kind: credential.kind,
    name: credential.name,
    scopes: credential.scopes ? JSON.stringify(credential.scopes) : null,
    sha256: credential.sha256,
    hint: credential.hint,
    shown_key: credential.key ?? null,
    expires_at: credential.expiresAt ?? null,
    origin: credential.origin,
    created_at: credential.createdAt,
    created_by: credential.createdBy,
  };
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
 * Returns the digest of a secret to store. It needs no salt: secrets are random, not
 * chosen by people.
 */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Returns the last characters of a secret, by which people recognise it. */
export function hintOf(secret: string): string {
  return secret.slice(-4);
}
