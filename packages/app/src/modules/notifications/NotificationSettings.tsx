import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { UserNotificationSettingsCard } from '@backstage/plugin-notifications';
import { originNames, topicNames } from './notificationNames';
import { notificationsPageTranslationRef } from './translation';

/** Lets users choose by which channels they get notifications about each topic. */
export function NotificationSettings() {
  const { t } = useTranslationRef(notificationsPageTranslationRef);
  return (
    <UserNotificationSettingsCard
      originNames={originNames(t)}
      topicNames={topicNames(t)}
    />
  );
}
