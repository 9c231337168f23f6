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
  type ConnectionWithSecret,
  createsSecret,
  DELIVERY_SERVICE_ANNOTATION,
  jiraService,
  pagerdutyService,
  trackerAnnotation,
} from '@slipway/plugin-delivery-lake-common';
import { useRemoveConnection } from '../queries';
import { deliveryLakeTranslationRef, type Translate } from '../translation';
import { ConnectionSecret } from './ConnectionSecret';
import { HOOK_EVENTS, HOOK_PAGES, isTracker, SENDER_TITLES } from './forges';
import { newDescriptorUrl } from './newDescriptor';
import styles from './Connections.module.css';

/** Guides the user through the setup of a connection, and shows the last delivery. */
export function ConnectionPanel(props: {
  connection: ConnectionResponse;
  /** The secret, if it was created just now. */
  secret: string | undefined;
  onSecret(created: ConnectionWithSecret): void;
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
          {t(
            isTracker(forge)
              ? 'connections.trackerText'
              : 'connections.webhookText',
            { forge: SENDER_TITLES[forge], page: HOOK_PAGES[forge] },
          )}
        </p>
        <CodeLine code={webhookUrl} label={t('connections.copyAddress')} />
        {isLocal(webhookUrl) && <p>{t('connections.localOnly')}</p>}
        <ConnectionSecret
          connection={connection}
          secret={secret}
          onSecret={onSecret}
        />
        <Details
          items={[
            ...(isTracker(forge)
              ? []
              : [
                  {
                    label: t('connections.contentType'),
                    value: 'application/json',
                  },
                ]),
            { label: t('connections.events'), value: HOOK_EVENTS[forge] },
          ]}
        />
        {isTracker(forge) && <p>{t(`connections.${forge}.scope`)}</p>}
        <h3>
          {t(
            isTracker(forge)
              ? 'connections.serviceTitle'
              : 'connections.catalogTitle',
          )}
        </h3>
        <p>
          {t(
            isTracker(forge)
              ? `connections.${forge}.catalogText`
              : 'connections.catalogText',
          )}{' '}
          <Link href="/catalog-import">{t('connections.import')}</Link>
        </p>
        <CodeLine
          code={annotationFor(connection)}
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

/**
 * Returns the annotation for the connected repository or tracker; for a tracker, with an example
 * value.
 */
function annotationFor({ forge, repository }: ConnectionResponse): string {
  const example = {
    pagerduty: trackerAnnotation(pagerdutyService('PABC123')),
    jira: trackerAnnotation(jiraService('SHOP')),
  };
  const { name, value } = (isTracker(forge) && example[forge]) || {
    name: DELIVERY_SERVICE_ANNOTATION,
    value: repository,
  };
  return `${name}: ${JSON.stringify(value)}`;
}

/** Returns whether a URL is only reachable from this machine, as on a development platform. */
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
  needsSecret = false,
}: ConnectionResponse): 'waiting' | 'connected' | 'refused' {
  const received = lastDelivery ? Date.parse(lastDelivery.at) : -1;
  // Without a secret, no signature can be valid.
  if (
    !needsSecret &&
    lastRefusedAt !== null &&
    Date.parse(lastRefusedAt) > received
  ) {
    return 'refused';
  }
  return lastDelivery ? 'connected' : 'waiting';
}

/** Returns the steps of the setup with their progress. */
function stepsOf(t: Translate, connection: ConnectionResponse): Step[] {
  const state = stateOf(connection);
  const { forge, lastDelivery, needsSecret = false } = connection;
  const isPagerduty = createsSecret(forge);
  return [
    {
      id: 'created',
      title: t(
        isPagerduty
          ? 'connections.pagerduty.stepCreated'
          : 'connections.stepCreated',
      ),
      state: 'done',
    },
    ...(isPagerduty
      ? [
          {
            id: 'secret',
            title: t('connections.pagerduty.stepSecret'),
            state: needsSecret ? ('running' as const) : ('done' as const),
          },
        ]
      : []),
    {
      id: 'delivery',
      title: t('connections.stepDelivery'),
      state: (
        {
          waiting: needsSecret ? 'pending' : 'running',
          refused: 'failed',
          connected: 'done',
        } as const
      )[state],
      message: {
        waiting: needsSecret
          ? null
          : t(
              isPagerduty
                ? 'connections.pagerduty.waitingHelp'
                : 'connections.waitingHelp',
            ),
        refused: t(
          isPagerduty
            ? 'connections.pagerduty.refusedHelp'
            : 'connections.refusedHelp',
        ),
        connected: null,
      }[state],
    },
    {
      id: 'event',
      title: t(
        isTracker(forge) ? 'connections.stepIncident' : 'connections.stepEvent',
      ),
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
