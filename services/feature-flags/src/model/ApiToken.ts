import { hash, randomBytes } from 'node:crypto';

/** The API that a token grants access to; `frontend` tokens, for SDKs in browsers, only get results. */
export type TokenType = 'client' | 'frontend' | 'admin';

export const TOKEN_TYPES: readonly TokenType[] = [
  'client',
  'frontend',
  'admin',
];

/** The projects and the environment whose flags a token grants access to. */
export interface TokenScope {
  /** Names of projects; a single `*` means all. */
  readonly projects: readonly string[];
  /** Name of an environment; `*` for an admin token. */
  readonly environment: string;
}

/** A token without its secret, which only its holder knows. */
export interface ApiToken extends TokenScope {
  readonly id: string;
  /** Recorded as the author of changes made with the token. */
  readonly name: string;
  readonly type: TokenType;
  /** SHA-256 of the whole token, in hex. */
  readonly hash: string;
  readonly createdBy: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** Milliseconds since the Unix epoch; null for a token that never expires. */
  readonly expiresAt: number | null;
  /** Milliseconds since the Unix epoch; null if no use is recorded. */
  readonly lastUsedAt: number | null;
}

/** `project:environment.secret`; the project is `*` for all projects, and `[]` for several. */
const SHAPE = /^(\*|\[\]|[A-Za-z0-9_.~-]+):(\*|[A-Za-z0-9_~-]+)\.(\S+)$/;

const SECRET_BYTES = 28;

/** Parses the scope from the text of a token; returns undefined if it is not a token. */
export function readToken(
  text: string,
): { project: string; environment: string } | undefined {
  const [, project, environment] = SHAPE.exec(text) ?? [];
  return project === undefined ? undefined : { project, environment };
}

/** Generates the text of a new token: `project:environment.secret`. */
export function generateToken({ projects, environment }: TokenScope): string {
  const project = projects.length === 1 ? projects[0] : '[]';
  return `${project}:${environment}.${randomBytes(SECRET_BYTES).toString(
    'hex',
  )}`;
}

/** Hashes a token. No salt is needed, because secrets are random. */
export function hashToken(text: string): string {
  return hash('sha256', text, 'hex');
}
