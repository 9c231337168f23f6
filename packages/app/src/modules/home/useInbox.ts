import { useEffect, useState } from 'react';
import { useSignal } from '@backstage/plugin-signals-react';
import {
  useInOrder,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import {
  type Aside,
  type InboxAnswer,
  type InboxItem,
  inboxApiRef,
} from './InboxApi';

/** Interval at which the inbox is refetched while it is visible. */
const LIVE_MS = 60_000;

/** Returns nine in the morning of the next day, in the user's time zone. */
export function tomorrow(now: number): number {
  const date = new Date(now);
  date.setDate(date.getDate() + 1);
  date.setHours(9, 0, 0, 0);
  return date.getTime();
}

/** Changes that are shown but not yet confirmed, by key. */
type Changes = ReadonlyMap<string, { aside: Aside | null }>;

/** Loads the user's inbox; a new notification reloads it immediately. */
export function useInbox() {
  const { lastSignal } = useSignal('notifications');
  const [changes, setChanges] = useState<Changes>(new Map());
  const query = useServiceQuery<typeof inboxApiRef.T, InboxAnswer>(
    inboxApiRef,
    ['inbox'],
    inbox => inbox.read(),
    { refetchInterval: LIVE_MS },
  );
  // Undo must not arrive before what it undoes.
  const inOrder = useInOrder();
  const { mutateAsync } = useServiceChange(
    inboxApiRef,
    (inbox, input: { key: string; aside: Aside | null }) =>
      inOrder(() => inbox.setAside(input.key, input.aside), input.key),
  );
  const { refetch } = query;
  useEffect(() => {
    if (lastSignal) {
      void refetch();
    }
  }, [lastSignal, refetch]);

  return {
    query,
    items: (query.data?.items ?? []).map(item => ({
      ...item,
      ...changes.get(item.key),
    })),
    /**
     * Sets an item aside, or moves it back with null. The change is shown before it is stored.
     * @throws the error of the response; the item is then shown as before.
     */
    async setAside({ key }: Pick<InboxItem, 'key'>, aside: Aside | null) {
      const change = { aside };
      setChanges(before => new Map(before).set(key, change));
      try {
        await mutateAsync({ key, aside });
      } finally {
        setChanges(before => {
          const after = new Map(before);
          // A later change of the same item is still on its way.
          if (after.get(key) === change) {
            after.delete(key);
          }
          return after;
        });
      }
    },
  };
}
