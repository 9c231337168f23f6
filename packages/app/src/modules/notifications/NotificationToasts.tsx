import { useEffect, useRef } from 'react';
import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { notificationsApiRef } from '@backstage/plugin-notifications';
import type { Notification } from '@backstage/plugin-notifications-common';
import { useSignal } from '@backstage/plugin-signals-react';
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

/**
 * Shows a toast for each notification that arrives while the portal is open. The toast's button opens
 * the linked page and marks the notification as read. No toast appears while the user is on that page.
 */
export function NotificationToasts() {
  const { lastSignal } = useSignal('notifications');
  const api = useApi(notificationsApiRef);
  const show = useShow();
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const id = idOfNew(lastSignal);
    // Shown only once, even if the effect runs again.
    if (id !== undefined && id !== shown.current) {
      shown.current = id;
      // If it cannot be loaded, the count next to the bell still changes.
      api.getNotification(id).then(show, () => undefined);
    }
  }, [lastSignal, api, show]);
  return null;
}

/** Returns a function that shows a notification. */
function useShow(): (notification: Notification) => void {
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
  return ({ id, payload }) => {
    const { title, severity = 'normal' } = payload;
    const link = safeAddress(payload.link);
    if (link?.split(/[?#]/)[0] === pathname) {
      return;
    }
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
