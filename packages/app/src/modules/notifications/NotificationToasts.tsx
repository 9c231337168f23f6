import { useEffect, useRef } from 'react';
import {
  toastApiRef,
  useApi,
  useApiHolder,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { notificationsApiRef } from '@backstage/plugin-notifications';
import type { Notification } from '@backstage/plugin-notifications-common';
import { signalApiRef } from '@backstage/plugin-signals-react';
import { postWithButton, safeAddress } from '@slipway/app-react';
import { useLocation, useNavigate } from 'react-router-dom';
import { appTranslationRef } from '../../translation';

/** Milliseconds for which a toast is shown. */
const SHOWN_MS = 10_000;

const STATUSES = {
  critical: 'danger',
  high: 'danger',
  normal: 'info',
  low: 'neutral',
} as const;

/** Milliseconds to wait for another notification before those that arrived are shown. */
const QUIET_MS = 400;
/** Maximum delay of a toast, in milliseconds, if notifications keep arriving. */
const MAX_DELAY_MS = 2_000;
/** Maximum number of notifications arriving together that each get a toast; more share one. */
const MAX_TOASTS = 2;

/** Origin of the notifications about items of the inbox, which Home shows. */
const INBOX = 'plugin:inbox';

/**
 * Shows a toast for each notification that arrives while the portal is open, or one for all of them
 * if many arrive together. The toast's button opens the linked page and marks the notification as
 * read. No toast appears while the user is on a page that shows the notification anyway: the linked
 * one, the list of notifications, or Home for an item of its inbox.
 */
export function NotificationToasts() {
  const signals = useApiHolder().get(signalApiRef);
  const api = useApi(notificationsApiRef);
  const show = useRef<(arrived: readonly Notification[]) => void>(undefined);
  show.current = useShow();
  useEffect(() => {
    let ids = new Set<string>();
    let firstAt = 0;
    let timer: ReturnType<typeof setTimeout>;
    const load = async () => {
      const arrived = [...ids];
      ids = new Set();
      // If one cannot be loaded, the count next to the bell still changes.
      const loaded = await Promise.all(
        arrived.map(id => api.getNotification(id).catch(() => undefined)),
      );
      show.current?.(loaded.flatMap(each => each ?? []));
    };
    // Not `useSignal`, which returns only the last of several signals that arrive together.
    const subscription = signals?.subscribe('notifications', signal => {
      const id = idOfNew(signal);
      if (id !== undefined) {
        const now = performance.now();
        firstAt = ids.size === 0 ? now : firstAt;
        ids.add(id);
        clearTimeout(timer);
        timer = setTimeout(
          () => void load(),
          Math.min(QUIET_MS, firstAt + MAX_DELAY_MS - now),
        );
      }
    });
    return () => {
      clearTimeout(timer);
      subscription?.unsubscribe();
    };
  }, [signals, api]);
  return null;
}

/** Returns a function that shows the notifications that arrived. */
function useShow(): (arrived: readonly Notification[]) => void {
  const { t } = useTranslationRef(appTranslationRef);
  const api = useApi(notificationsApiRef);
  const toastApi = useApi(toastApiRef);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const open = (id: string, link: string) => {
    // A notification that could not be marked stays unread.
    api.updateNotifications({ ids: [id], read: true }).catch(() => undefined);
    if (link.startsWith('/')) {
      navigate(link);
    } else {
      window.open(link, '_blank', 'noopener,noreferrer');
    }
  };
  const showOne = ({ id, payload }: Notification) => {
    const { title, severity = 'normal' } = payload;
    const link = safeAddress(payload.link);
    const toast = { title, status: STATUSES[severity], timeout: SHOWN_MS };
    if (link !== undefined) {
      postWithButton(toastApi, toast, {
        label: t('nav.viewNotification'),
        onPress: () => open(id, link),
      });
    } else {
      toastApi.post(toast);
    }
  };
  return arrived => {
    const hidden = arrived.filter(
      each => !each.read && !isVisibleOn(pathname, each),
    );
    if (hidden.length <= MAX_TOASTS) {
      hidden.forEach(showOne);
      return;
    }
    const title = t('nav.newNotifications', { count: hidden.length });
    postWithButton(
      toastApi,
      { title, status: 'info', timeout: SHOWN_MS },
      {
        label: t('nav.viewNotification'),
        onPress: () => navigate('/notifications'),
      },
    );
  };
}

/** Returns whether a page shows a notification, or what it is about. */
function isVisibleOn(pathname: string, { origin, payload }: Notification) {
  return (
    pathname === '/notifications' ||
    (pathname === '/' && origin === INBOX) ||
    safeAddress(payload.link)?.split(/[?#]/)[0] === pathname
  );
}

/** Returns the id in a signal about a new notification; undefined for other signals. */
function idOfNew(signal: unknown): string | undefined {
  const { action, notification_id: id } = (signal ?? {}) as {
    action?: unknown;
    notification_id?: unknown;
  };
  return action === 'new_notification' && typeof id === 'string'
    ? id
    : undefined;
}
