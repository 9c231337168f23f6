import {
  configApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import {
  CodeLine,
  Panel,
  RelativeTime,
  StatusBadge,
} from '@slipway/design-system';
import { keyOf } from '../api/EventsApi';
import { useCredentials, useProject } from '../projectQueries';
import { useLastEvent } from '../queries';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

/** Shows the code with which a product sends events, and whether any have arrived. */
export function ConnectGuide() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const credentials = useCredentials(project?.id);
  const host =
    useApi(configApiRef).getOptionalString('app.analytics.slipway.host') ??
    'http://localhost:8100';
  const found = keyOf(credentials.data);
  const key = found ?? 'phc_…';
  return (
    <Panel title={t('connect.title')}>
      <div className={styles.stack}>
        <FirstEvent projectId={project?.id} />
        <p className={styles.text}>{t('connect.text')}</p>
        {credentials.data && !found && (
          <p className={styles.text}>{t('connect.noKey')}</p>
        )}
        <p className={styles.text}>{t('connect.page')}</p>
        <CodeLine code={pageCode(host, key)} label={t('connect.copyPage')} />
        <p className={styles.text}>{t('connect.server')}</p>
        <CodeLine
          code="npm install posthog-node"
          label={t('connect.copyInstall')}
        />
        <CodeLine code={nodeCode(host, key)} label={t('connect.copyCode')} />
        <p className={styles.text}>{t('connect.http')}</p>
        <CodeLine code={curlCode(host, key)} label={t('connect.copyCurl')} />
      </div>
    </Panel>
  );
}

/** Reports the first event when it arrives, and then the latest one. */
function FirstEvent({ projectId }: { projectId: string | undefined }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { data: event, error, refetch } = useLastEvent(projectId);
  if (error && !event) {
    return (
      <ReadFailure
        title={t('connect.eventFailed')}
        error={error}
        onRetry={() => refetch()}
      />
    );
  }
  return (
    <p className={styles.firstEvent} role="status">
      {event ? (
        <>
          <StatusBadge
            tone="success"
            label={t('connect.receiving', { event: event.event })}
          />
          <RelativeTime value={event.timestamp} />
        </>
      ) : (
        <StatusBadge tone="info" busy label={t('connect.waiting')} />
      )}
    </p>
  );
}

function pageCode(host: string, key: string): string {
  return `<script src="${host}/static/array.js"></script>
<script>
  posthog.init('${key}', { api_host: '${host}' });
</script>`;
}

function nodeCode(host: string, key: string): string {
  return `import { PostHog } from 'posthog-node';

const posthog = new PostHog('${key}', { host: '${host}' });
posthog.capture({ distinctId: 'user-1', event: 'signed up' });
await posthog.shutdown();`;
}

function curlCode(host: string, key: string): string {
  return `curl ${host}/api/capture -H 'Content-Type: application/json' -d '{
  "api_key": "${key}", "event": "signed up", "distinct_id": "user-1"}'`;
}
