import type { ApiToken } from './ApiToken.ts';

/** Tokens that people made; those of the configuration are not in it. */
export interface TokenStore {
  /** Newest first. */
  list(): Promise<ApiToken[]>;
  find(hash: string): Promise<ApiToken | undefined>;
  insert(token: ApiToken): Promise<void>;
  /** @returns what was removed; undefined when there is no such token. */
  remove(
    id: string,
    options: { by: string; now: number },
  ): Promise<ApiToken | undefined>;
}
