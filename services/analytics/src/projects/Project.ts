/** A product whose events are kept apart from those of others. */
export interface Project {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

/** `capture`: a project key, sends events. `query`: an API token, asks questions. */
export type CredentialKind = 'capture' | 'query';

/** A key or token, without the secret. Times are milliseconds since the Unix epoch. */
export interface Credential {
  readonly id: string;
  readonly projectId: string;
  readonly kind: CredentialKind;
  readonly name: string;
  /** Its last characters; empty where only its digest is known. */
  readonly hint: string;
  /** Those of the configuration cannot be revoked by pages. */
  readonly origin: 'configuration' | 'portal';
  readonly createdAt: number;
  readonly createdBy: string;
}

/** A {@link Credential} to be stored. */
export interface NewCredential extends Credential {
  /** SHA-256 of the secret in hexadecimal. */
  readonly sha256: string;
}
