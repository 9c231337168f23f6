import type { TranslationFunction } from '@backstage/frontend-plugin-api';
import { NotificationDescription } from '@backstage/plugin-notifications';
import type {
  Notification,
  NotificationSeverity,
} from '@backstage/plugin-notifications-common';
import { Link } from '@backstage/ui';
import {
  RiBookmarkFill,
  RiBookmarkLine,
  RiMailLine,
  RiMailOpenLine,
} from '@remixicon/react';
import { safeAddress } from '@slipway/app-react';
import {
  type DataColumn,
  IconButton,
  RelativeTime,
  StatusBadge,
  type Tone,
} from '@slipway/design-system';
import { nameOf, originNames, topicNames } from './notificationNames';
import type { notificationsPageTranslationRef } from './translation';
import type { useChangeNotifications } from './useNotifications';
import styles from './NotificationsPage.module.css';

type Translate = TranslationFunction<typeof notificationsPageTranslationRef.T>;
type Change = ReturnType<typeof useChangeNotifications>['change'];

const TONES: Record<NotificationSeverity, Tone> = {
  critical: 'danger',
  high: 'warning',
  normal: 'info',
  low: 'neutral',
};

/** Returns the columns of the notification list. */
export function notificationColumns(
  t: Translate,
  change: Change,
): DataColumn<Notification>[] {
  const severityOf = ({ payload }: Notification) =>
    payload.severity ?? 'normal';
  const topics = topicNames(t);
  const origins = originNames(t);
  return [
    {
      id: 'notification',
      label: t('columns.notification'),
      text: ({ payload }) => payload.title,
      cell: row => <Title row={row} t={t} change={change} />,
    },
    {
      id: 'severity',
      label: t('columns.severity'),
      width: 120,
      from: 'sm',
      csv: severityOf,
      cell: row => (
        <StatusBadge
          tone={TONES[severityOf(row)]}
          label={t(`severities.${severityOf(row)}`)}
        />
      ),
    },
    {
      id: 'topic',
      label: t('columns.topic'),
      width: '14%',
      from: 'md',
      text: ({ payload }) => nameOf(topics, payload.topic),
      cell: ({ payload }) => nameOf(topics, payload.topic),
    },
    {
      id: 'origin',
      label: t('columns.origin'),
      width: '14%',
      from: 'lg',
      text: ({ origin }) => nameOf(origins, origin),
      cell: ({ origin }) => nameOf(origins, origin),
    },
    {
      id: 'received',
      label: t('columns.received'),
      width: 132,
      from: 'xs',
      csv: timeOf,
      cell: row => <RelativeTime value={timeOf(row)} />,
    },
    {
      id: 'actions',
      label: t('columns.actions'),
      hidesLabel: true,
      width: 84,
      cell: row => <Actions row={row} t={t} change={change} />,
    },
  ];
}

/** Returns when it was sent, or last sent again. */
function timeOf({ created, updated }: Notification): string {
  return new Date(updated ?? created).toISOString();
}

function Title(props: { row: Notification; t: Translate; change: Change }) {
  const { row, t, change } = props;
  const { title, description } = row.payload;
  const link = safeAddress(row.payload.link);
  return (
    <div className={styles.title} data-unread={!row.read}>
      <span>
        {!row.read && (
          <span
            className={styles.mark}
            role="img"
            aria-label={t('unread')}
            title={t('unread')}
          />
        )}
        {link ? (
          <Link
            href={link}
            onPress={() => {
              if (!row.read) {
                void change('readNow', [row.id]);
              }
            }}
          >
            {title}
          </Link>
        ) : (
          title
        )}
        {row.user === null && <small>{t('everyone')}</small>}
      </span>
      {description && (
        <div className={styles.description}>
          <NotificationDescription description={description} />
        </div>
      )}
    </div>
  );
}

function Actions(props: { row: Notification; t: Translate; change: Change }) {
  const { row, t, change } = props;
  const readLabel = t(row.read ? 'markUnread' : 'markRead');
  const saveLabel = t(row.saved ? 'unsave' : 'save');
  const of = (action: string) => t('of', { action, title: row.payload.title });
  const ReadIcon = row.read ? RiMailLine : RiMailOpenLine;
  const SaveIcon = row.saved ? RiBookmarkFill : RiBookmarkLine;
  return (
    <span className={styles.actions}>
      <IconButton
        label={of(readLabel)}
        hint={readLabel}
        icon={<ReadIcon size={16} />}
        onPress={() => change(row.read ? 'unreadNow' : 'readNow', [row.id])}
      />
      <IconButton
        label={of(saveLabel)}
        hint={saveLabel}
        icon={<SaveIcon size={16} />}
        onPress={() => change(row.saved ? 'unsavedNow' : 'savedNow', [row.id])}
      />
    </span>
  );
}
