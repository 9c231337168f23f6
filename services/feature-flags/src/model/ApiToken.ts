import { hash, randomBytes } from 'node:crypto';

/** The interface that a token opens: `frontend` is for SDKs in browsers, which it tells results alone. */
export type TokenType = 'client' | 'frontend' | 'admin';

export const TOKEN_TYPES: readonly TokenType[] = [
  'client',
  'frontend',
  'admin',
];

/** The flags that a token shows. */
export interface TokenScope {
  /** Names of projects; `*` alone is all of them. */
  readonly projects: readonly string[];
  /** Name of an environment; `*` for an admin token. */
  readonly environment: string;
}

/** A token, without the secret: that is known to its holder alone. */
export interface ApiToken extends TokenScope {
  readonly id: string;
  /** What people call it; the author of what is done with it. */
  readonly name: string;
  readonly type: TokenType;
  /** SHA-256 of the whole token, in hex. */
  readonly hash: string;
  readonly createdBy: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** Milliseconds since the Unix epoch; null for a token that does not end. */
  readonly expiresAt: number | null;
  /** Milliseconds since the Unix epoch; null for a token that was never used, as far as is known. */
  readonly lastUsedAt: number | null;
}

/** `*` or a project, `[]` for several; then the environment; then the secret. */
const SHAPE = /^(\*|\[\]|[A-Za-z0-9_.~-]+):(\*|[A-Za-z0-9_~-]+)\.(\S+)$/;

const SECRET_BYTES = 28;

/** What the text of a token says of its scope; undefined for what is no token. */
export function readToken(
  text: string,
): { project: string; environment: string } | undefined {
  const [, project, environment] = SHAPE.exec(text) ?? [];
  return project === undefined ? undefined : { project, environment };
}

/** Makes the text of a new token: `project:environment.secret`. */
export function generateToken({ projects, environment }: TokenScope): string {
  const project = projects.length === 1 ? projects[0] : '[]';
  return `${project}:${environment}.${randomBytes(SECRET_BYTES).toString(
    'hex',
  )}`;
}

/** Digests without salt do: secrets are random, not chosen by people. */
export function hashToken(text: string): string {
  return hash('sha256', text, 'hex');
}
