import {
  configApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { CodeLine, Panel } from '@slipway/design-system';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

/** Shows the code with which a product sends events. */
export function ConnectGuide({ secret }: { secret?: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const host =
    useApi(configApiRef).getOptionalString('app.analytics.slipway.host') ??
    'http://localhost:8100';
  const key = secret ?? 'phc_…';
  const code = `import { PostHog } from 'posthog-node';

const posthog = new PostHog('${key}', { host: '${host}' });
posthog.capture({ distinctId: 'user-1', event: 'signed up' });
await posthog.shutdown();`;
  const page = `posthog.init('${key}', { api_host: '${host}' });`;
  const curl = `curl ${host}/api/capture -H 'Content-Type: application/json' -d '{
  "api_key": "${key}", "event": "signed up", "distinct_id": "user-1"}'`;
  return (
    <Panel title={t('connect.title')}>
      <div className={styles.stack}>
        <p className={styles.text}>{t('connect.text')}</p>
        <p className={styles.text}>{t('connect.page')}</p>
        <CodeLine code={page} label={t('connect.copyPage')} />
        <p className={styles.text}>{t('connect.server')}</p>
        <CodeLine
          code="npm install posthog-node"
          label={t('connect.copyInstall')}
        />
        <CodeLine code={code} label={t('connect.copyCode')} />
        <p className={styles.text}>{t('connect.http')}</p>
        <CodeLine code={curl} label={t('connect.copyCurl')} />
      </div>
    </Panel>
  );
}
