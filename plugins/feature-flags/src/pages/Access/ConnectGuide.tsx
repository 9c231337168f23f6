import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { CodeLine, Panel } from '@slipway/design-system';
import { useApplications, useUser } from '../../data/useFlags';
import { flagsTranslationRef } from '../../translation';
import styles from './Access.module.css';

/** Where the service listens as development has it; an installation knows its own address. */
const EXAMPLE_URL = 'http://localhost:4242/api';

/** What to write into an application, and who has done so. */
export function ConnectGuide() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: user } = useUser();
  const { data: applications } = useApplications();
  const environment = user?.environment ?? 'development';
  const code = `import { initialize } from 'unleash-client';

const unleash = initialize({
  url: '${EXAMPLE_URL}',
  appName: 'my-app',
  customHeaders: { Authorization: '*:${environment}.…' },
});

unleash.isEnabled('my-flag', { userId });`;
  return (
    <Panel title={t('connect.title')}>
      <div className={styles.stack}>
        <p className={styles.text}>{t('connect.text')}</p>
        <CodeLine
          code="npm install unleash-client"
          label={t('connect.copyInstall')}
        />
        <CodeLine code={code} label={t('connect.copyCode')} />
        {applications && (
          <p className={styles.quiet} role="status">
            {applications.length > 0
              ? t('connect.seen', { names: applications.join(', ') })
              : t('connect.nobody')}
          </p>
        )}
      </div>
    </Panel>
  );
}
