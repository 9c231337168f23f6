import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { UserNotificationSettingsCard } from '@backstage/plugin-notifications';
import { notificationsPageTranslationRef } from './translation';

/** Lets users choose by which channels they get notifications about each topic. */
export function NotificationSettings() {
  const { t } = useTranslationRef(notificationsPageTranslationRef);
  return (
    <UserNotificationSettingsCard
      originNames={{
        'plugin:inbox': t('origins.inbox'),
        'plugin:ide-launcher': t('origins.workspaces'),
        feedback: t('origins.feedback'),
        'space-metrics': t('origins.experience'),
      }}
      topicNames={{
        'build-failed': t('topics.buildFailed'),
        'deployment-failed': t('topics.deploymentFailed'),
        'incident-open': t('topics.incidentOpen'),
        'flag-stale': t('topics.flagStale'),
        'approval-pending': t('topics.approvalPending'),
        'feedback-new': t('topics.feedbackNew'),
        'workspace-stops': t('topics.workspaceStops'),
      }}
    />
  );
}
