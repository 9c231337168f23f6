import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link, Text } from '@backstage/ui';
import { Panel, StatusBadge } from '@slipway/design-system';
import type { WorkspaceEndpoint } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../../translation';
import styles from './WorkspacePage.module.css';

/** The devfile's endpoints; a link where something answers behind it. */
export function EndpointsPanel(props: {
  endpoints: readonly WorkspaceEndpoint[];
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  return (
    <Panel title={t('workspace.endpoints')}>
      {props.endpoints.length === 0 && (
        <Text as="p" color="secondary">
          {t('workspace.endpointsEmpty')}
        </Text>
      )}
      <ul className={styles.list}>
        {props.endpoints.map(endpoint => (
          <li
            key={`${endpoint.component}/${endpoint.name}`}
            className={styles.row}
          >
            <div>
              <EndpointName endpoint={endpoint} />
              <Text as="p" variant="body-small" color="secondary">
                {t('workspace.port', {
                  port: String(endpoint.targetPort),
                  protocol: endpoint.protocol,
                })}
              </Text>
            </div>
            <StatusBadge
              tone={endpoint.listening ? 'success' : 'neutral'}
              label={
                endpoint.listening
                  ? t('workspace.listening')
                  : t('workspace.notListening')
              }
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function EndpointName({ endpoint }: { endpoint: WorkspaceEndpoint }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { name, url, listening } = endpoint;
  if (!url || !listening) {
    return <Text>{name}</Text>;
  }
  return (
    <Link
      href={url}
      target="_blank"
      rel="noopener"
      aria-label={t('workspace.openEndpoint', { name })}
    >
      {name}
    </Link>
  );
}
