import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Button } from '@backstage/ui';
import { QueryTable, SendFailure, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  Details,
  formatDuration,
  RelativeTime,
  SidePanel,
  StatusBadge,
} from '@slipway/design-system';
import type { Destination } from '../api/DestinationsApi';
import { formatCount } from '../insights/valueNames';
import { analyticsTranslationRef } from '../translation';
import {
  useDeliveries,
  usePauseDestination,
  useRemoveDestination,
  useTestDestination,
} from './destinationQueries';
import { DestinationState } from './DestinationState';
import styles from '../analytics.module.css';

/** Shows how far a destination has received events, and lets admins test, pause and delete it. */
export function DestinationPanel(props: {
  projectId: string;
  destination: Destination;
  mayManage: boolean;
  onEdit(): void;
  onClose(): void;
}) {
  const { projectId, destination, mayManage, onEdit, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { id, failures, files, last_error: lastError } = destination;
  return (
    <SidePanel
      title={id}
      status={<DestinationState destination={destination} />}
      onClose={onClose}
    >
      <div className={styles.stack}>
        {!destination.is_readable && (
          <div role="status">
            <Alert
              status="danger"
              icon
              title={t('destinations.unreadable')}
              description={t('destinations.unreadableHelp')}
            />
          </div>
        )}
        {failures > 0 && (
          <div role="status">
            <Alert
              status="danger"
              icon
              title={lastError}
              description={
                destination.next_attempt_at && (
                  <>
                    {t('destinations.nextAttempt')}{' '}
                    <RelativeTime value={destination.next_attempt_at} />
                  </>
                )
              }
            />
          </div>
        )}
        {mayManage && (
          <Actions
            projectId={projectId}
            destination={destination}
            onEdit={onEdit}
            onRemoved={onClose}
          />
        )}
        <Details
          items={[
            {
              label: t('destinations.kind'),
              value: t(`destinations.kinds.${destination.kind}`),
            },
            { label: t('destinations.address'), value: destination.address },
            {
              label: t('destinations.fields.events'),
              value:
                destination.events?.join(', ') ?? t('destinations.allEvents'),
            },
            ...(files
              ? [
                  {
                    label: t('destinations.files'),
                    value: `${t(`destinations.formats.${files.format}`)}, ${t(`destinations.intervals.${files.interval}`)}`,
                  },
                ]
              : []),
            {
              label: t('destinations.delivered'),
              value: formatCount(destination.delivered),
            },
            {
              label: t('destinations.lastSuccess'),
              value: destination.last_success_at ? (
                <RelativeTime value={destination.last_success_at} />
              ) : (
                '–'
              ),
            },
          ]}
        />
        {destination.is_configured && (
          <p className={styles.quiet}>{t('destinations.configured')}</p>
        )}
        <Deliveries projectId={projectId} id={id} />
      </div>
    </SidePanel>
  );
}

function Actions(props: {
  projectId: string;
  destination: Destination;
  onEdit(): void;
  onRemoved(): void;
}) {
  const { projectId, destination, onEdit, onRemoved } = props;
  const { id, paused } = destination;
  const { is_configured: isConfigured, is_readable: isReadable } = destination;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const errorWords = useErrorWords();
  const test = useTestDestination(projectId, id);
  const pause = usePauseDestination(projectId, id);
  const remove = useRemoveDestination(projectId, id);
  const [isAsking, setIsAsking] = useState(false);
  const failure =
    test.error ??
    (test.data && !test.data.delivered
      ? new Error(test.data.error ?? '')
      : null);
  return (
    <>
      <div className={styles.actions}>
        {isReadable && (
          <Button
            size="small"
            variant="primary"
            isPending={test.isPending}
            onPress={() => test.mutate()}
          >
            {t('destinations.test')}
          </Button>
        )}
        {!isConfigured && (
          <>
            <Button
              size="small"
              variant={isReadable ? 'secondary' : 'primary'}
              onPress={onEdit}
            >
              {t(isReadable ? 'destinations.edit' : 'destinations.renew')}
            </Button>
            <Button
              size="small"
              variant="secondary"
              isPending={pause.isPending}
              onPress={() => pause.mutate(!paused)}
            >
              {t(paused ? 'destinations.resume' : 'destinations.pause')}
            </Button>
            <Button
              size="small"
              variant="secondary"
              onPress={() => setIsAsking(true)}
            >
              {t('destinations.delete')}
            </Button>
          </>
        )}
      </div>
      <div role="status">
        {test.data?.delivered && !test.isPending && (
          <p className={styles.text}>{t('destinations.testDone')}</p>
        )}
      </div>
      {failure && !test.isPending && (
        <SendFailure title={t('destinations.testFailed')} error={failure} />
      )}
      {pause.error && (
        <SendFailure
          title={t('destinations.pauseFailed')}
          error={pause.error}
        />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('destinations.deleteTitle', { name: id })}
        confirmLabel={t('destinations.delete')}
        describeError={errorWords}
        onConfirm={async () => {
          await remove.mutateAsync();
          onRemoved();
        }}
      >
        {t('destinations.deleteText')}
      </ConfirmDialog>
    </>
  );
}

function Deliveries(props: { projectId: string; id: string }) {
  const { projectId, id } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <section>
      <h3 className={styles.heading}>{t('destinations.deliveries')}</h3>
      <QueryTable
        isPlain
        label={t('destinations.deliveries')}
        query={useDeliveries(projectId, id)}
        rowsOf={deliveries =>
          deliveries.map((delivery, index) => ({ ...delivery, index }))
        }
        rowId={({ index }) => String(index)}
        failed={t('destinations.deliveriesFailed')}
        loading={t('destinations.deliveriesLoading')}
        empty={<p className={styles.quiet}>{t('destinations.noDeliveries')}</p>}
        columns={[
          {
            id: 'outcome',
            label: t('destinations.outcome'),
            text: ({ error }) => error ?? t('destinations.accepted'),
            cell: ({ error, status, test }) => (
              <>
                <StatusBadge
                  tone={error === null ? 'success' : 'danger'}
                  label={
                    status === null
                      ? t('destinations.noResponse')
                      : String(status)
                  }
                />
                {test && (
                  <span className={styles.quiet}>
                    {' '}
                    {t('destinations.isTest')}
                  </span>
                )}
                {/* The error of a response only repeats its status. */}
                {error !== null && status === null && (
                  <span className={styles.reason}> {error}</span>
                )}
              </>
            ),
          },
          {
            id: 'events',
            label: t('destinations.fields.events'),
            isNumber: true,
            width: 72,
            cell: ({ events }) => formatCount(events),
          },
          {
            id: 'duration',
            label: t('destinations.duration'),
            width: 88,
            isNumber: true,
            from: 'md',
            cell: each => formatDuration(each.duration_ms),
          },
          {
            id: 'at',
            label: t('live.time'),
            width: 136,
            from: 'sm',
            cell: ({ at }) => <RelativeTime value={at} />,
          },
        ]}
      />
    </section>
  );
}
