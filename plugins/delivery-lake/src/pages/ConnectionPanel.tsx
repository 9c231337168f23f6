import { useState } from 'react';
import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Button, Link } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import {
  CodeLine,
  ConfirmDialog,
  Details,
  RelativeTime,
  SidePanel,
  StatusBadge,
  type Step,
  StepList,
} from '@slipway/design-system';
import {
  type ConnectionResponse,
  type CreatedConnectionResponse,
  DELIVERY_SERVICE_ANNOTATION,
} from '@slipway/plugin-delivery-lake-common';
import { useRemoveConnection, useReplaceSecret } from '../queries';
import { deliveryLakeTranslationRef, type Translate } from '../translation';
import { FORGE_TITLES, HOOK_EVENTS, HOOK_PAGES } from './forges';
import { newDescriptorUrl } from './newDescriptor';
import styles from './Connections.module.css';

/** Guides through the set-up of a connection, and shows what arrives. */
export function ConnectionPanel(props: {
  connection: ConnectionResponse;
  /** The secret, if it was created just now. */
  secret: string | undefined;
  onSecret(created: CreatedConnectionResponse): void;
  onClose(): void;
}) {
  const { connection, secret, onSecret, onClose } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { forge, repository, webhookUrl } = connection;
  const newDescriptor = newDescriptorUrl(connection);
  return (
    <SidePanel
      title={repository}
      status={<ConnectionState connection={connection} />}
      onClose={onClose}
    >
      <div className={styles.panel}>
        <StepList
          label={t('connections.progress')}
          steps={stepsOf(t, connection)}
        />
        <LastDelivery connection={connection} />
        <h3>{t('connections.webhookTitle')}</h3>
        <p>
          {t('connections.webhookText', {
            forge: FORGE_TITLES[forge],
            page: HOOK_PAGES[forge],
          })}
        </p>
        <CodeLine code={webhookUrl} label={t('connections.copyAddress')} />
        {isLocal(webhookUrl) && <p>{t('connections.localOnly')}</p>}
        {secret ? (
          <>
            <p>{t('connections.secretText')}</p>
            <CodeLine code={secret} label={t('connections.copySecret')} />
          </>
        ) : (
          <ReplaceSecret connection={connection} onSecret={onSecret} />
        )}
        <Details
          items={[
            { label: t('connections.contentType'), value: 'application/json' },
            { label: t('connections.events'), value: HOOK_EVENTS[forge] },
          ]}
        />
        <h3>{t('connections.catalogTitle')}</h3>
        <p>
          {t('connections.catalogText')}{' '}
          <Link href="/catalog-import">{t('connections.import')}</Link>
        </p>
        <CodeLine
          code={`${DELIVERY_SERVICE_ANNOTATION}: ${JSON.stringify(repository)}`}
          label={t('connections.copyAnnotation')}
        />
        {newDescriptor && (
          <p>
            {t('connections.newDescriptorText')}{' '}
            <Link href={newDescriptor} target="_blank" rel="noreferrer">
              {t('connections.newDescriptor')}
            </Link>
          </p>
        )}
        <RemoveButton connection={connection} onRemoved={onClose} />
      </div>
    </SidePanel>
  );
}

/** Checks whether only this machine reaches an address, as on a development platform. */
function isLocal(address: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(address).hostname);
}

/** Shows whether deliveries arrive, and whether the last one was rejected. */
export function ConnectionState(props: { connection: ConnectionResponse }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  switch (stateOf(props.connection)) {
    case 'refused':
      return <StatusBadge tone="danger" label={t('connections.refused')} />;
    case 'waiting':
      return <StatusBadge tone="neutral" label={t('connections.waiting')} />;
    default:
      return <StatusBadge tone="success" label={t('connections.connected')} />;
  }
}

/**
 * Returns the state of a connection: rejected if its last delivery had a wrong signature.
 */
function stateOf({
  lastDelivery,
  lastRefusedAt,
}: ConnectionResponse): 'waiting' | 'connected' | 'refused' {
  const received = lastDelivery ? Date.parse(lastDelivery.at) : -1;
  if (lastRefusedAt !== null && Date.parse(lastRefusedAt) > received) {
    return 'refused';
  }
  return lastDelivery ? 'connected' : 'waiting';
}

/** Returns the progress of the set-up. */
function stepsOf(t: Translate, connection: ConnectionResponse): Step[] {
  const state = stateOf(connection);
  const { lastDelivery } = connection;
  return [
    { id: 'created', title: t('connections.stepCreated'), state: 'done' },
    {
      id: 'delivery',
      title: t('connections.stepDelivery'),
      state: (
        { waiting: 'running', refused: 'failed', connected: 'done' } as const
      )[state],
      message: {
        waiting: t('connections.waitingHelp'),
        refused: t('connections.refusedHelp'),
        connected: null,
      }[state],
    },
    {
      id: 'event',
      title: t('connections.stepEvent'),
      state: lastDelivery && lastDelivery.accepted > 0 ? 'done' : 'pending',
    },
  ];
}

function LastDelivery({ connection }: { connection: ConnectionResponse }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { lastDelivery } = connection;
  if (!lastDelivery) {
    return null;
  }
  const { at, event, accepted, ignored } = lastDelivery;
  return (
    <p role="status">
      {t('connections.received', { event })} <RelativeTime value={at} />:{' '}
      {ignored ?? t('connections.accepted', { count: accepted })}
    </p>
  );
}

function ReplaceSecret(props: {
  connection: ConnectionResponse;
  onSecret(created: CreatedConnectionResponse): void;
}) {
  const { connection, onSecret } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const errorWords = useErrorWords();
  const { mutateAsync } = useReplaceSecret();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <p>{t('connections.secretHidden')}</p>
      <Button
        size="small"
        variant="secondary"
        onPress={() => setIsAsking(true)}
      >
        {t('connections.replace')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('connections.replaceTitle', {
          repository: connection.repository,
        })}
        confirmLabel={t('connections.replace')}
        describeError={errorWords}
        onConfirm={async () => onSecret(await mutateAsync(connection.id))}
      >
        {t('connections.replaceText')}
      </ConfirmDialog>
    </>
  );
}

function RemoveButton(props: {
  connection: ConnectionResponse;
  onRemoved(): void;
}) {
  const { connection, onRemoved } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const toastApi = useApi(toastApiRef);
  const errorWords = useErrorWords();
  const { mutateAsync } = useRemoveConnection();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button
        className={styles.remove}
        size="small"
        variant="secondary"
        onPress={() => setIsAsking(true)}
      >
        {t('connections.remove')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('connections.removeTitle', {
          repository: connection.repository,
        })}
        confirmLabel={t('connections.remove')}
        describeError={errorWords}
        onConfirm={async () => {
          await mutateAsync(connection.id);
          toastApi.post({ title: t('connections.removed'), status: 'success' });
          onRemoved();
        }}
      >
        {t('connections.removeText')}
      </ConfirmDialog>
    </>
  );
}
