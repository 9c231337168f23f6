import type {
  AuthService,
  BackstageCredentials,
  DiscoveryService,
  LoggerService,
} from '@backstage/backend-plugin-api';
import { byUrgency, ITEM_KINDS, type Need } from '@slipway/entity-contract';
import type { z } from 'zod';
import { addressIn, type ProxyEndpoint } from '../serviceProxy/endpoints';
import type { TokenIssuer } from '../serviceProxy/TokenIssuer';
import type { InboxPart } from './config';
import { summarySchema, timelineSchema } from './schemas';

const TIMEOUT_MS = 10_000;

/** The user whose inbox is read. */
export interface Owner {
  ref: string;
  /** Entity references of the user and the user's groups. */
  ownership: readonly string[];
  /** The user's own credentials; undefined if the user is absent. */
  credentials?: BackstageCredentials;
}

/** A request to a plugin of the portal, or to a service behind the proxy. */
export interface PartRequest extends Pick<InboxPart, 'plugin' | 'service'> {
  /** Path below the URL of the part, with its query. */
  path: string;
  /** Sent with POST. */
  body?: object;
  /** Timeout in milliseconds; 10,000 by default. */
  timeoutMs?: number;
}

/** The items of an inbox, most urgent first. */
export interface Needs {
  needs: Need[];
  /** Titles of the parts that did not respond. */
  missing: string[];
  /** Titles of the parts that have, or may have, more items than fit into their summary. */
  incomplete: string[];
}

/** Commits are omitted: the activity already lists the build that contains them. */
const ACTIVITY_KINDS = ITEM_KINDS.filter(kind => kind !== 'commit').join(',');

/** An event that concerns a user, as the activity on Home shows it. */
export type Activity = z.output<typeof timelineSchema>['items'][number];

/** Dependencies of {@link PartsClient}. */
interface PartsClientOptions {
  parts: readonly InboxPart[];
  endpoints: readonly ProxyEndpoint[];
  auth: AuthService;
  discovery: DiscoveryService;
  tokens: Pick<TokenIssuer, 'issueFor'>;
  logger: LoggerService;
}

/** Reads inbox items and recent events from all parts, on behalf of the user whose inbox it is. */
export class PartsClient {
  readonly #options: PartsClientOptions;
  readonly #failing = new Set<string>();

  constructor(options: PartsClientOptions) {
    this.#options = options;
  }

  /**
   * Reads the items of an inbox. Never throws: parts that do not respond are listed in `missing`.
   */
  async read(owner: Owner): Promise<Needs> {
    const incomplete: string[] = [];
    const { found, missing } = await this.#askAll(async part => {
      const answer = await this.#ask(part, owner, 'summary');
      const { needs, moreNeeds, truncated } = summarySchema.parse(answer);
      if (moreNeeds || truncated) {
        incomplete.push(part.title);
      }
      return needs;
    });
    return { needs: byUrgency(found), missing, incomplete: incomplete.sort() };
  }

  /**
   * Reads the events of the last month, newest first. Never throws: parts that do not respond are
   * listed in `missing`.
   */
  async activity(
    owner: Owner,
    { limit }: { limit: number },
  ): Promise<{ items: Activity[]; missing: string[] }> {
    const { found, missing } = await this.#askAll(async part => {
      const query = `limit=${limit}&kind=${ACTIVITY_KINDS}`;
      const answer = await this.#ask(part, owner, `timeline?${query}`);
      return timelineSchema.parse(answer).items;
    });
    const items = [...new Map(found.map(item => [item.id, item])).values()]
      .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
      .slice(0, limit);
    return { items, missing };
  }

  async #askAll<T>(
    ask: (part: InboxPart) => Promise<T[]>,
  ): Promise<{ found: T[]; missing: string[] }> {
    const answers = await Promise.all(
      this.#options.parts.map(async part => {
        try {
          const found = await ask(part);
          this.#failing.delete(part.title);
          return { found };
        } catch (error) {
          this.#report(part, error);
          return { found: [], missing: part.title };
        }
      }),
    );
    return {
      found: answers.flatMap(({ found }) => found),
      missing: answers.flatMap(({ missing }) => missing ?? []),
    };
  }

  async #ask(part: InboxPart, owner: Owner, path: string): Promise<unknown> {
    const { plugin, service } = part;
    const entity = `/entities/${encodeURIComponent(owner.ref)}/${path}`;
    return this.request(owner, {
      ...{ plugin, service },
      path: plugin === undefined ? `/api/v1${entity}` : entity,
    });
  }

  /** Sends a request to one part as a user. @throws Error if the response is not 2xx. */
  async request(owner: Owner, request: PartRequest): Promise<unknown> {
    const { path, body, timeoutMs = TIMEOUT_MS } = request;
    const { base, token } = await this.#access(request, owner);
    const response = await fetch(`${base}${path}`, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      // Not awaited: the timeout does not limit how long that takes.
      response.body?.cancel().catch(() => undefined);
      throw new Error(`status ${response.status}`);
    }
    return response.json();
  }

  /** Returns the URL of a part without a trailing slash, and a token that is valid only there. */
  async #access(
    part: Pick<InboxPart, 'plugin' | 'service'>,
    { ref, ownership, credentials }: Owner,
  ): Promise<{ base: string; token: string }> {
    const { auth, discovery, endpoints, tokens } = this.#options;
    if (part.plugin !== undefined) {
      const { token } = await auth.getPluginRequestToken({
        onBehalfOf: credentials ?? (await auth.getOwnServiceCredentials()),
        targetPluginId: part.plugin,
      });
      return { base: await discovery.getBaseUrl(part.plugin), token };
    }
    const endpoint = endpoints.find(({ service }) => service === part.service);
    if (!endpoint) {
      throw new Error(`proxy.endpoints has no /${part.service}`);
    }
    return {
      base: addressIn(endpoint.target, '').href.replace(/\/$/, ''),
      token: await tokens.issueFor({
        user: { userEntityRef: ref, ownershipEntityRefs: [...ownership] },
        service: endpoint.service,
      }),
    };
  }

  /** Logs a failure of a part once, until the part responds again. */
  #report({ title }: InboxPart, error: unknown): void {
    if (!this.#failing.has(title)) {
      this.#failing.add(title);
      this.#options.logger.warn(`${title} is missing in inboxes: ${error}`);
    }
  }
}
