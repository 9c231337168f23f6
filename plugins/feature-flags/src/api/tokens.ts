import type { ServiceClient, CallOptions } from '@slipway/app-react';

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
  /** Null for a configured token, which can only be revoked in the configuration. */
  createdAt: string | null;
  expiresAt?: string;
  lastUsedAt?: string;
}

/** A token to create; by default for all projects and without expiry. */
export interface NewToken {
  tokenName: string;
  type: TokenType;
  projects?: readonly string[];
  environment?: string;
  expiresAt?: string;
}

/** A new token; its secret cannot be shown again. */
export interface NewApiToken extends ApiToken {
  secret: string;
}

/** Tokens of applications and scripts. */
export interface TokenCalls {
  listTokens(options?: CallOptions): Promise<ApiToken[]>;
  createToken(token: NewToken): Promise<NewApiToken>;
  /** Creates a new secret; the old one works for another day. */
  rotateToken(id: string): Promise<NewApiToken>;
  deleteToken(id: string): Promise<void>;
}

/** {@link TokenCalls} of the service. */
export function tokenCalls(admin: ServiceClient): TokenCalls {
  return {
    async listTokens(options) {
      const { tokens } = await admin.json<{ tokens: ApiToken[] }>(
        '/api-tokens',
        options,
      );
      return tokens;
    },

    createToken(token) {
      return admin.json('/api-tokens', { method: 'POST', body: token });
    },

    rotateToken(id) {
      const path = `/api-tokens/${encodeURIComponent(id)}/rotate`;
      return admin.json(path, { method: 'POST', body: {} });
    },

    async deleteToken(id) {
      await admin.json(`/api-tokens/${encodeURIComponent(id)}`, {
        method: 'DELETE',
      });
    },
  };
}
