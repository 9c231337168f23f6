import { type PropsWithChildren, useMemo } from 'react';
import {
  configApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { CodeLine, EmptyState, Panel } from '@slipway/design-system';
import { deliveryIngestPermission } from '@slipway/plugin-delivery-lake-common';
import { useLakeStatus } from '../queries';
import { deliveryLakeTranslationRef } from '../translation';
import { FORGE_TITLES } from './forges';
import styles from './EmptyLake.module.css';

/** Shows a page about deployments or, if there are none yet, how to report them. */
export function UnlessEmpty({ children }: PropsWithChildren) {
  const { data: status } = useLakeStatus();
  return status?.deployments === 0 ? (
    <EmptyLake ingestUrl={status.ingestUrl} />
  ) : (
    <>{children}</>
  );
}

/** Explains the purpose of the page, and the three ways to report deployments. */
function EmptyLake({ ingestUrl }: { ingestUrl: string }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const config = useApi(configApiRef);
  const isDevelopment =
    config.getOptionalString('app.signIn.method') === 'development';
  // Created once, because a user cannot select text that changes.
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
            {Object.entries(FORGE_TITLES).map(([id, title]) => (
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

/** The token of a service on development platforms; see backend.auth.externalAccess. */
const DEVELOPMENT_TOKEN = 'dev-service-token';

/** An arbitrary SHA that is never looked up. */
const COMMIT = '5f2d9c1e7a3b48d6925c0e1f7b6a4d3c2e1f0a9b';
const MINUTE_MS = 60_000;

/**
 * Returns a command that reports one deployment, ready to paste into a shell.
 *
 * @param ingestUrl - URL of the lake's API.
 * @param isDevelopment - whether the development token is valid.
 * @param now - milliseconds since the Unix epoch.
 */
function curlLine(options: {
  ingestUrl: string;
  isDevelopment: boolean;
  now: number;
}): string {
  const { ingestUrl, isDevelopment, now } = options;
  const at = (minutesAgo: number) =>
    new Date(now - minutesAgo * MINUTE_MS).toISOString();
  const deployment = {
    source: 'curl',
    id: `checkout-${now}`,
    service: 'checkout',
    environment: 'prod',
    status: 'SUCCESS',
    version: '1.0.0',
    startedAt: at(4),
    finishedAt: at(1),
    repository: 'example/checkout',
    changes: [COMMIT],
    commit: {
      sha: COMMIT,
      message: 'Say what is in the basket',
      author: 'ada',
      committedAt: at(90),
    },
  };
  const token = isDevelopment ? DEVELOPMENT_TOKEN : '$SLIPWAY_TOKEN';
  return [
    `curl -X POST ${ingestUrl}/deployments`,
    `-H "Authorization: Bearer ${token}"`,
    `-H "Content-Type: application/json"`,
    `-d '${JSON.stringify(deployment)}'`,
  ].join(' ');
}
