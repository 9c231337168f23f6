import type { ServiceClient } from '@slipway/app-react';
import type { CallOptions } from './CallOptions';

/** Applications read flags with a client token, pages with a frontend token; scripts change them with an admin token. */
export type TokenType = 'client' | 'frontend' | 'admin';

/** A token without its secret. */
export interface ApiToken {
  id: string;
  tokenName: string;
  type: TokenType;
  projects: readonly string[];
  environment: string;
  createdBy: string;
  /** Null for a token of the configuration, which is taken back there. */
  createdAt: string | null;
  expiresAt?: string;
  lastUsedAt?: string;
}

/** A token that is to be made; for all projects and without an end where that is left out. */
export interface NewToken {
  tokenName: string;
  type: TokenType;
  projects?: readonly string[];
  environment?: string;
  expiresAt?: string;
}

/** A token that was just made; nobody can be shown its secret again. */
export interface NewApiToken extends ApiToken {
  secret: string;
}

/** Tokens of applications and scripts. */
export interface TokenCalls {
  listTokens(options?: CallOptions): Promise<ApiToken[]>;
  createToken(token: NewToken): Promise<NewApiToken>;
  /** Makes a new secret; the old one works for another day. */
  rotateToken(id: string): Promise<NewApiToken>;
  deleteToken(id: string): Promise<void>;
}

/** {@link TokenCalls} of the service. */
export function tokenCalls(admin: ServiceClient): TokenCalls {
  return {
    async listTokens(options?: CallOptions): Promise<ApiToken[]> {
      const { tokens } = await admin.json<{ tokens: ApiToken[] }>(
        '/api-tokens',
        options,
      );
      return tokens;
    },

    createToken(token: NewToken): Promise<NewApiToken> {
      return admin.json('/api-tokens', { method: 'POST', body: token });
    },

    rotateToken(id: string): Promise<NewApiToken> {
      const path = `/api-tokens/${encodeURIComponent(id)}/rotate`;
      return admin.json(path, { method: 'POST', body: {} });
    },

    async deleteToken(id: string): Promise<void> {
      await admin.json(`/api-tokens/${encodeURIComponent(id)}`, {
        method: 'DELETE',
      });
    },
  };
}
