import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link } from '@backstage/ui';
import { QueryTable, readFailedCall } from '@slipway/app-react';
import {
  type DataColumn,
  EmptyState,
  ListAndPanel,
  RelativeTime,
  useUrlSort,
} from '@slipway/design-system';
import type {
  ConnectionResponse,
  CreatedConnectionResponse,
} from '@slipway/plugin-delivery-lake-common';
import { useNavigate, useParams } from 'react-router-dom';
import { useConnections } from '../queries';
import { useLinks } from '../routes';
import { deliveryLakeTranslationRef, type Translate } from '../translation';
import { type Connectable, ConnectDialog } from './ConnectDialog';
import { ConnectionPanel, ConnectionState } from './ConnectionPanel';
import { SENDER_TITLES } from './forges';
import styles from './Connections.module.css';

/**
 * Lists the connected repositories and incident trackers, and guides admins through connecting
 * another.
 */
export function ConnectionsPage() {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useLinks();
  const navigate = useNavigate();
  const { '*': id } = useParams();
  const query = useConnections();
  const sort = useUrlSort(['repository', 'forge', 'last']);
  const [connecting, setConnecting] = useState<Connectable>();
  // The secret is shown until another page is opened; it cannot be read again.
  const [created, setCreated] = useState<CreatedConnectionResponse>();
  const connection = query.data?.connections.find(one => one.id === id);
  const connect = (
    <div className={styles.actions}>
      <Button onPress={() => setConnecting('repository')}>
        {t('connections.add')}
      </Button>
      <Button variant="secondary" onPress={() => setConnecting('tracker')}>
        {t('connections.addTracker')}
      </Button>
    </div>
  );
  if (readFailedCall(query.error).status === 403) {
    return (
      <EmptyState
        title={t('connections.deniedTitle')}
        description={t('connections.deniedDescription')}
      />
    );
  }
  return (
    <>
      {query.data && query.data.connections.length > 0 && (
        <div className={styles.bar}>{connect}</div>
      )}
      <ListAndPanel
        panel={
          connection && (
            <ConnectionPanel
              key={connection.id}
              connection={connection}
              secret={created?.id === id ? created?.secret : undefined}
              onSecret={setCreated}
              onClose={() => navigate(links.connections())}
            />
          )
        }
      >
        <QueryTable
          label={t('connections.label')}
          query={query}
          rowsOf={({ connections }) => connections}
          failed={t('connections.failed')}
          rowId={one => one.id}
          selectedId={id}
          columns={columnsOf(t, one => links.connection(one.id))}
          sort={sort}
          exportAs="connections"
          loading={t('connections.loading')}
          empty={
            <EmptyState
              title={t('connections.emptyTitle')}
              description={t('connections.emptyDescription')}
              action={connect}
            />
          }
        />
      </ListAndPanel>
      {connecting && (
        <ConnectDialog
          kind={connecting}
          onClose={() => setConnecting(undefined)}
          onCreated={connected => {
            setCreated(connected);
            setConnecting(undefined);
            navigate(links.connection(connected.id));
          }}
        />
      )}
    </>
  );
}

function columnsOf(
  t: Translate,
  hrefOf: (connection: ConnectionResponse) => string,
): DataColumn<ConnectionResponse>[] {
  return [
    {
      id: 'repository',
      label: t('connections.repository'),
      text: ({ repository }) => repository,
      sortBy: ({ repository }) => repository,
      cell: one => <Link href={hrefOf(one)}>{one.repository}</Link>,
    },
    {
      id: 'forge',
      label: t('connections.source'),
      width: 112,
      from: 'sm',
      text: ({ forge }) => SENDER_TITLES[forge],
      sortBy: ({ forge }) => SENDER_TITLES[forge],
      cell: ({ forge }) => SENDER_TITLES[forge],
    },
    {
      id: 'state',
      label: t('connections.state'),
      width: 148,
      cell: one => <ConnectionState connection={one} />,
    },
    {
      id: 'last',
      label: t('connections.last'),
      width: 148,
      from: 'sm',
      csv: ({ lastDelivery }) => lastDelivery?.at,
      sortBy: ({ lastDelivery }) => lastDelivery && Date.parse(lastDelivery.at),
      cell: ({ lastDelivery }) =>
        lastDelivery ? <RelativeTime value={lastDelivery.at} /> : '–',
    },
  ];
}
