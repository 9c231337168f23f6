import {
  createApiRef,
  type DiscoveryApi,
  type FetchApi,
} from '@backstage/frontend-plugin-api';
import { ServiceClient } from '@slipway/app-react';
import type { Need, TimelineItem } from '@slipway/entity-contract';

/** What a user decided about an item; `until` is when it reappears, null for never. */
export interface Aside {
  state: 'done' | 'snoozed';
  until: string | null;
}

/** An item of the inbox. */
export interface InboxItem extends Need {
  /** Null if the item is in the inbox. */
  aside: Aside | null;
}

/** The inbox of the user, most urgent items first. */
export interface InboxAnswer {
  items: InboxItem[];
  /** Titles of the parts that did not respond. */
  missing: string[];
  /** Titles of the parts that have, or may have, more items than are listed. */
  incomplete: string[];
}

/** Recent events of everything that the user owns, newest first. */
export interface ActivityAnswer {
  items: Omit<TimelineItem, 'neighbours'>[];
  /** Titles of the parts that did not respond. */
  missing: string[];
}

/** The first steps with the platform. */
export type StepId =
  'connect' | 'workspace' | 'build' | 'deployment' | 'flag' | 'team';

/**
 * Reads and changes the user's inbox, and reads what happened recently and which first steps are
 * done. Every method rejects if the response is not 2xx.
 */
export interface InboxApi {
  /** Reads the inbox of the signed-in user. */
  read(): Promise<InboxAnswer>;
  /** Reads recent events of everything that the user owns. */
  activity(): Promise<ActivityAnswer>;
  /** Checks steps; null for one whose part does not respond. */
  firstSteps(
    steps: readonly StepId[],
  ): Promise<Partial<Record<StepId, boolean | null>>>;
  /** @param aside - null moves the item back to the inbox. */
  setAside(key: string, aside: Aside | null): Promise<void>;
}

/** {@link InboxApi} */
export const inboxApiRef = createApiRef<InboxApi>().with({
  id: 'home.inbox',
  pluginId: 'home',
});

/** Reads the inbox over HTTP. */
export class InboxClient implements InboxApi {
  readonly #client: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#client = new ServiceClient({ ...options, pluginId: 'inbox' });
  }

  read(): Promise<InboxAnswer> {
    return this.#client.json('/items');
  }

  activity(): Promise<ActivityAnswer> {
    return this.#client.json('/activity');
  }

  async firstSteps(
    steps: readonly StepId[],
  ): Promise<Partial<Record<StepId, boolean | null>>> {
    const answer = await this.#client.json<{
      steps: Partial<Record<StepId, boolean | null>>;
    }>('/first-steps', { query: { steps: steps.join(',') } });
    return answer.steps;
  }

  async setAside(key: string, aside: Aside | null): Promise<void> {
    const path = `/items/${encodeURIComponent(key)}/aside`;
    await this.#client.send(
      path,
      aside
        ? {
            method: 'PUT',
            body: aside.state === 'done' ? { state: 'done' } : { ...aside },
          }
        : { method: 'DELETE' },
    );
  }
}
