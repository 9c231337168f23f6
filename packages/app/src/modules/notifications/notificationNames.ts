import type { TranslationFunction } from '@backstage/frontend-plugin-api';
import type { notificationsPageTranslationRef } from './translation';

type Translate = TranslationFunction<typeof notificationsPageTranslationRef.T>;

/** Returns the names of the platform's own topics by their ids. */
export function topicNames(t: Translate): Record<string, string> {
  return {
    'build-failed': t('topics.buildFailed'),
    'deployment-failed': t('topics.deploymentFailed'),
    'incident-open': t('topics.incidentOpen'),
    'flag-stale': t('topics.flagStale'),
    'approval-pending': t('topics.approvalPending'),
    'feedback-new': t('topics.feedbackNew'),
    'workspace-stops': t('topics.workspaceStops'),
    workspaces: t('topics.workspaces'),
    Feedback: t('topics.ownFeedback'),
    'survey-due': t('topics.pulseSurvey'),
    'Pulse survey': t('topics.pulseSurvey'),
  };
}

/** Returns the names of the platform's own origins by their ids. */
export function originNames(t: Translate): Record<string, string> {
  return {
    'plugin:inbox': t('origins.inbox'),
    'plugin:ide-launcher': t('origins.workspaces'),
    feedback: t('origins.feedback'),
    'space-metrics': t('origins.experience'),
  };
}

/**
 * Returns the names of the channels through which notifications arrive, by the ids of their
 * processors.
 */
export function channelNames(t: Translate): Record<string, string> {
  return {
    Web: t('channels.web'),
    Email: t('channels.mail'),
    SlackNotificationProcessor: t('channels.slack'),
  };
}

/** Returns the name of an id; returns the id itself if it has none, as in third-party plugins. */
export function nameOf(names: Record<string, string>, id = ''): string {
  return Object.hasOwn(names, id) ? names[id] : id;
}
