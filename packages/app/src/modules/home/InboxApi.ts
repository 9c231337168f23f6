import {
  createApiRef,
  type DiscoveryApi,
  type FetchApi,
} from '@backstage/frontend-plugin-api';
import { ServiceClient } from '@slipway/app-react';
import type { Need } from '@slipway/entity-contract';

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
}

/** Reads and changes the user's inbox. Every method rejects if the response is not 2xx. */
export interface InboxApi {
  read(): Promise<InboxAnswer>;
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
