import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { CodeLine, Panel } from '@slipway/design-system';
import { useApplications } from '../queries/usage';
import { useUser } from '../queries/access';
import { flagsTranslationRef } from '../translation';
import styles from './AccessPage.module.css';

/** Code snippets that connect an application, and the connected applications. */
export function ConnectGuide() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: user } = useUser();
  const { data: applications } = useApplications();
  if (!user) {
    return null;
  }
  const code = `import { initialize } from 'unleash-client';

const unleash = initialize({
  url: '${user.clientUrl}',
  appName: 'my-app',
  customHeaders: { Authorization: '*:${user.environment}.…' },
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
              ? t('connect.seen', {
                  names: applications.map(({ appName }) => appName).join(', '),
                })
              : t('connect.nobody')}
          </p>
        )}
      </div>
    </Panel>
  );
}
