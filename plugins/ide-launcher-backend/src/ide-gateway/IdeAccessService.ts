import { createHash, randomBytes } from 'node:crypto';
import { InputError } from '@backstage/errors';
import { IdeTicket } from '@slipway/plugin-ide-launcher-common';
import { GatewayRoute, IdeAddresses } from './ideRoutes';
import { IdeGrant, IdeGrantKind, IdeGrantStore } from './storage/IdeGrantStore';

/** The query parameter with the ticket. */
export const TICKET_PARAMETER = 'ticket';

const TICKET_SECONDS = 60;
const SESSION_SECONDS = 12 * 60 * 60;

/**
 * Time for which a session is cached; a revocation by another replica takes effect within this time.
 */
const CACHE_MS = 10_000;

/** A browser's session. */
export interface IdeSession {
  token: string;
  maxAgeSeconds: number;
}

interface CachedSession {
  grant: IdeGrant;
  checkedAt: number;
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Controls access to IDEs with one-time tickets, sessions obtained with them, and revocation.
 * Tokens are 256 random bits, stored as hashes. Looking up a hash needs no constant-time
 * comparison, because its timing reveals nothing about the token.
 */
export class IdeAccessService {
  readonly #grants: IdeGrantStore;
  readonly #addresses: IdeAddresses;
  readonly #now: () => Date;
  readonly #cache = new Map<string, CachedSession>();
  readonly #revocationListeners = new Set<(workspaceId: string) => void>();

  constructor(options: {
    grants: IdeGrantStore;
    addresses: IdeAddresses;
    now?: () => Date;
  }) {
    this.#grants = options.grants;
    this.#addresses = options.addresses;
    this.#now = options.now ?? (() => new Date());
  }

  /** Issues a URL that opens a workspace's IDE, or one of its ports, once within a minute. */
  async issueTicket(
    workspace: { id: string; owner: string },
    destination: { port?: number; path?: string } = {},
  ): Promise<IdeTicket> {
    const base = this.#addresses.of({
      workspaceId: workspace.id,
      port: destination.port ?? null,
    });
    const url = new URL(base + (destination.path ?? '').replace(/^\/+/, ''));
    if (!url.href.startsWith(base)) {
      throw new InputError('path: must not lead out of the workspace');
    }
    const { token, grant } = await this.#issue(
      'ticket',
      workspace,
      TICKET_SECONDS,
    );
    url.searchParams.set(TICKET_PARAMETER, token);
    return { url: url.toString(), expiresAt: grant.expiresAt };
  }

  /**
   * Exchanges a ticket for a session. Returns undefined if the ticket is used, expired, unknown
   * or for another workspace.
   */
  async redeemTicket(
    token: string,
    route: Pick<GatewayRoute, 'workspaceId'>,
  ): Promise<IdeSession | undefined> {
    const ticket = await this.#grants.take('ticket', hash(token));
    if (!ticket || !this.#valid(ticket, route.workspaceId)) {
      return undefined;
    }
    return this.openSession({ id: ticket.workspaceId, owner: ticket.owner });
  }

  /** Opens a session for an authenticated owner. */
  async openSession(workspace: {
    id: string;
    owner: string;
  }): Promise<IdeSession> {
    const { token } = await this.#issue('session', workspace, SESSION_SECONDS);
    return { token, maxAgeSeconds: SESSION_SECONDS };
  }

  /** Returns whether a token is a valid session of this workspace. */
  async hasSession(token: string, workspaceId: string): Promise<boolean> {
    const tokenHash = hash(token);
    const now = this.#now().getTime();
    let cached = this.#cache.get(tokenHash);
    if (!cached || now - cached.checkedAt > CACHE_MS) {
      this.#cache.delete(tokenHash);
      const grant = await this.#grants.find('session', tokenHash);
      if (!grant) {
        return false;
      }
      cached = { grant, checkedAt: now };
      this.#cache.set(tokenHash, cached);
    }
    return this.#valid(cached.grant, workspaceId);
  }

  /** Revokes all tickets and sessions of a workspace and closes its open connections. */
  async revoke(workspaceId: string): Promise<void> {
    await this.#grants.removeByWorkspace(workspaceId);
    for (const [tokenHash, { grant }] of this.#cache) {
      if (grant.workspaceId === workspaceId) {
        this.#cache.delete(tokenHash);
      }
    }
    for (const listener of this.#revocationListeners) {
      listener(workspaceId);
    }
  }

  /** Revokes all tickets and sessions of an owner who signed out of the portal. */
  async revokeOwner(owner: string): Promise<void> {
    await this.#grants.removeByOwner(owner);
    for (const [tokenHash, { grant }] of this.#cache) {
      if (grant.owner === owner) {
        this.#cache.delete(tokenHash);
      }
    }
  }

  /** Calls the listener when a workspace's grants have been revoked. */
  onRevoked(listener: (workspaceId: string) => void): void {
    this.#revocationListeners.add(listener);
  }

  /** Removes expired grants and expired cache entries. */
  async cleanUp(): Promise<void> {
    const oldest = this.#now().getTime() - CACHE_MS;
    for (const [tokenHash, { checkedAt }] of this.#cache) {
      if (checkedAt < oldest) {
        this.#cache.delete(tokenHash);
      }
    }
    await this.#grants.removeExpired(this.#now().toISOString());
  }

  #valid(grant: IdeGrant, workspaceId: string): boolean {
    return (
      grant.workspaceId === workspaceId &&
      Date.parse(grant.expiresAt) > this.#now().getTime()
    );
  }

  async #issue(
    kind: IdeGrantKind,
    workspace: { id: string; owner: string },
    seconds: number,
  ): Promise<{ token: string; grant: IdeGrant }> {
    const token = randomBytes(32).toString('base64url');
    const grant: IdeGrant = {
      tokenHash: hash(token),
      kind,
      workspaceId: workspace.id,
      owner: workspace.owner,
      expiresAt: new Date(this.#now().getTime() + seconds * 1000).toISOString(),
    };
    await this.#grants.add(grant);
    return { token, grant };
  }
}
