import { useEffect } from 'react';
import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  type GetNotificationsOptions,
  notificationsApiRef,
} from '@backstage/plugin-notifications';
import type { Notification } from '@backstage/plugin-notifications-common';
import { useSignal } from '@backstage/plugin-signals-react';
import {
  useServiceChange,
  useServiceQuery,
  useUndoToast,
} from '@slipway/app-react';
import { notificationsPageTranslationRef } from './translation';

/** Maximum number marked at once; the notifications service lists no more per response. */
const MAX = 1_000;

/** A page of notifications, the number of unread ones, and the existing topics. */
export interface NotificationList {
  notifications: readonly Notification[];
  total: number;
  unread: number;
  topics: readonly string[];
}

/**
 * Loads notifications, and reloads them when a signal reports a change.
 * @param options - what to list. A new object with the same content does not load again.
 * @param linked - id of the notification in the URL; listed first, wherever it would
 *   otherwise be.
 */
export function useNotifications(
  options: GetNotificationsOptions,
  linked: string,
) {
  const { lastSignal } = useSignal('notifications');
  const query = useServiceQuery<typeof notificationsApiRef.T, NotificationList>(
    notificationsApiRef,
    ['notifications', options, linked],
    async api => {
      const [page, status, { topics }, one] = await Promise.all([
        api.getNotifications(options),
        api.getStatus(),
        api.getTopics(),
        linked ? api.getNotification(linked).catch(() => undefined) : undefined,
      ]);
      const { notifications, totalCount } = page;
      const isMissing =
        one !== undefined && notifications.every(({ id }) => id !== one.id);
      return {
        notifications: isMissing ? [one, ...notifications] : notifications,
        total: totalCount + Number(isMissing),
        unread: status.unread,
        topics,
      };
    },
    // Keep the rows while loading: a filter or a signal must not empty the page.
    { placeholderData: previous => previous },
  );
  const { refetch } = query;
  useEffect(() => {
    if (lastSignal) {
      void refetch();
    }
  }, [lastSignal, refetch]);
  return query;
}

/** Changes to notifications by the name of their texts, with the change that undoes each. */
const CHANGES = {
  readNow: { change: { read: true }, undo: { read: false } },
  unreadNow: { change: { read: false }, undo: { read: true } },
  savedNow: { change: { saved: true }, undo: { saved: false } },
  unsavedNow: { change: { saved: false }, undo: { saved: true } },
} as const;

/** Returns functions that change notifications and offer to undo it. */
export function useChangeNotifications() {
  const { t } = useTranslationRef(notificationsPageTranslationRef);
  const api = useApi(notificationsApiRef);
  const toastApi = useApi(toastApiRef);
  const undoToast = useUndoToast();
  const { mutateAsync } = useServiceChange(
    notificationsApiRef,
    (client, input: { ids: string[]; read?: boolean; saved?: boolean }) =>
      client.updateNotifications(input),
  );
  const tellFailure = () =>
    toastApi.post({ title: t('changeFailed'), status: 'danger' });
  const change = async (name: keyof typeof CHANGES, ids: string[]) => {
    if (ids.length === 0) {
      return;
    }
    try {
      await mutateAsync({ ids, ...CHANGES[name].change });
      undoToast(t(name, { count: ids.length }), () => {
        mutateAsync({ ids, ...CHANGES[name].undo }).catch(tellFailure);
      });
    } catch {
      tellFailure();
    }
  };
  return {
    change,
    /** Marks all unread notifications as read, including those on other pages. */
    async markAllRead() {
      try {
        const { notifications } = await api.getNotifications({
          read: false,
          limit: MAX,
        });
        await change(
          'readNow',
          notifications.map(({ id }) => id),
        );
      } catch {
        tellFailure();
      }
    },
  };
}
