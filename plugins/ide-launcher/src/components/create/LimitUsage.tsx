import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Text } from '@backstage/ui';
import type { WorkspaceOptions } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../../translation';

/** Shows which of the caller's limits keeps a workspace from being created. */
export function reachedLimit(
  options: Pick<WorkspaceOptions, 'limits' | 'usage'> | undefined,
): 'total' | 'running' | undefined {
  if (!options) {
    return undefined;
  }
  const { limits, usage } = options;
  if (usage.total >= limits.total) {
    return 'total';
  }
  // A new workspace starts at once, so it needs room among the running ones too.
  return usage.running >= limits.running ? 'running' : undefined;
}

/** How much of the caller's limits is used; the reason, when one is reached. */
export function LimitUsage({ options }: { options: WorkspaceOptions }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { limits, usage, idleTimeoutMinutes } = options;
  const reached = reachedLimit(options);
  if (reached === 'total') {
    return (
      <Alert
        status="warning"
        icon
        title={t('create.totalReached', { limit: String(limits.total) })}
      />
    );
  }
  if (reached === 'running') {
    return (
      <Alert
        status="warning"
        icon
        title={t('create.runningReached', { limit: String(limits.running) })}
      />
    );
  }
  return (
    <Text as="p" variant="body-small" color="secondary">
      {t('create.usage', {
        total: String(usage.total),
        totalLimit: String(limits.total),
        running: String(usage.running),
        runningLimit: String(limits.running),
      })}{' '}
      {idleTimeoutMinutes !== null &&
        t('create.idle', { minutes: String(idleTimeoutMinutes) })}
    </Text>
  );
}
