/** A ticket opens an IDE once; a session is what a browser then holds in a cookie. */
export type IdeGrantKind = 'ticket' | 'session';

/** A right to use the IDE of one workspace. Its token is known to the holder alone; here is only its hash. */
export interface IdeGrant {
  /** SHA-256 of the token, in hexadecimal. */
  tokenHash: string;
  kind: IdeGrantKind;
  workspaceId: string;
  owner: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
}

/** Where grants are kept. */
export interface IdeGrantStore {
  add(grant: IdeGrant): Promise<void>;
  find(kind: IdeGrantKind, tokenHash: string): Promise<IdeGrant | undefined>;
  /** Removes a grant and returns it: of two callers at once exactly one gets it. */
  take(kind: IdeGrantKind, tokenHash: string): Promise<IdeGrant | undefined>;
  removeByWorkspace(workspaceId: string): Promise<void>;
  removeByOwner(owner: string): Promise<void>;
  /** @param now - ISO 8601, UTC. */
  removeExpired(now: string): Promise<void>;
}
