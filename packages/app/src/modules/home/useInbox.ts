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
    async (inbox, input: { keys: readonly string[]; aside: Aside | null }) => {
      const results = await Promise.allSettled(
        input.keys.map(key =>
          inOrder(() => inbox.setAside(key, input.aside), key),
        ),
      );
      const failed = results.find(({ status }) => status === 'rejected');
      if (failed) {
        throw (failed as PromiseRejectedResult).reason;
      }
    },
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
     * Sets items aside, or moves them back with null. The change is shown before it is stored, and
     * the inbox is read again once all requests have ended.
     * @throws the error of a failed request; items whose change was not stored are then shown as before.
     */
    async setAside(
      changed: readonly Pick<InboxItem, 'key'>[],
      aside: Aside | null,
    ) {
      const keys = changed.map(({ key }) => key);
      const change = { aside };
      setChanges(
        before =>
          new Map([...before, ...keys.map(key => [key, change] as const)]),
      );
      try {
        await mutateAsync({ keys, aside });
      } finally {
        // A later change of the same item is still on its way.
        setChanges(
          before =>
            new Map([...before].filter(([, latest]) => latest !== change)),
        );
      }
    },
  };
}
