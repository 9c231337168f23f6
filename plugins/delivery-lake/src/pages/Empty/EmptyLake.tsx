import { type PropsWithChildren, useMemo } from 'react';
import {
  configApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { CodeLine, EmptyState, Panel } from '@slipway/design-system';
import { deliveryIngestPermission } from '@slipway/plugin-delivery-lake-common';
import { useLakeStatus } from '../../data/useLake';
import { deliveryLakeTranslationRef } from '../../translation';
import { curlLine } from './curlLine';
import styles from './EmptyLake.module.css';

const FORGES = [
  { id: 'github', title: 'GitHub' },
  { id: 'gitlab', title: 'GitLab' },
  { id: 'gitea', title: 'Gitea' },
  { id: 'forgejo', title: 'Forgejo' },
];

/** Shows a page that is about deployments, or, until there are any, how to get them in. */
export function UnlessEmpty({ children }: PropsWithChildren) {
  const { data: status } = useLakeStatus();
  return status?.deployments === 0 ? (
    <EmptyLake ingestUrl={status.ingestUrl} />
  ) : (
    <>{children}</>
  );
}

/** Says what will be here, and the three ways to get it in. */
function EmptyLake({ ingestUrl }: { ingestUrl: string }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const config = useApi(configApiRef);
  const isDevelopment =
    config.getOptionalString('app.signIn.method') === 'development';
  // Made once: a line that changes under the pointer cannot be selected.
  const curl = useMemo(
    () => curlLine({ ingestUrl, isDevelopment, now: Date.now() }),
    [ingestUrl, isDevelopment],
  );
  return (
    <>
      <EmptyState
        title={t('empty.title')}
        description={t('empty.description')}
      />
      <Panel title={t('empty.curlTitle')}>
        <div className={styles.way}>
          <p>
            {isDevelopment
              ? t('empty.curlText')
              : t('empty.curlToken', {
                  permission: deliveryIngestPermission.name,
                })}
          </p>
          <CodeLine code={curl} label={t('empty.copyCurl')} />
        </div>
      </Panel>
      <div className={styles.ways}>
        <Panel title={t('empty.webhookTitle')}>
          <div className={styles.way}>
            <p>{t('empty.webhookText')}</p>
            {FORGES.map(({ id, title }) => (
              <div key={id} className={styles.forge}>
                <span>{title}</span>
                <CodeLine
                  code={`${ingestUrl}/webhooks/${id}`}
                  label={t('empty.copyAddress', { forge: title })}
                />
              </div>
            ))}
          </div>
        </Panel>
        <Panel title={t('empty.fileTitle')}>
          <div className={styles.way}>
            <p>{t('empty.fileText')}</p>
            <CodeLine
              code="./slipway lake example demo.ndjson"
              label={t('empty.copyExample')}
            />
            <CodeLine
              code="./slipway lake import demo.ndjson"
              label={t('empty.copyImport')}
            />
          </div>
        </Panel>
      </div>
    </>
  );
}
