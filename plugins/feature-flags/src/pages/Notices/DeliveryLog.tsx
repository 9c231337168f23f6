import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { QueryTable } from '@slipway/app-react';
import { RelativeTime, StatusBadge, type Tone } from '@slipway/design-system';
import type { NoticeChannel, NoticeDelivery } from '../../api/notices';
import { useDeliveries } from '../../queries/notices';
import { flagsTranslationRef } from '../../translation';
import styles from '../Flag/Flag.module.css';

const TONES: Record<NoticeDelivery['state'], Tone> = {
  pending: 'info',
  delivered: 'success',
  given_up: 'danger',
};

/** The latest notices to a channel, with the reasons why some were not delivered. */
export function DeliveryLog({ channel }: { channel: NoticeChannel }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <QueryTable
      isPlain
      label={t('notices.logNamed', { name: channel.name })}
      query={useDeliveries(channel.id)}
      rowsOf={deliveries => deliveries}
      failed={t('notices.logFailed')}
      loading={t('notices.logLoading')}
      empty={<p className={styles.quiet}>{t('notices.logEmpty')}</p>}
      rowId={({ id }) => id}
      columns={[
        {
          id: 'notice',
          label: t('notices.logNotice'),
          text: ({ text }) => text,
          cell: ({ text, state, lastError }) => (
            <span className={styles.change}>
              {text}
              {state !== 'delivered' && lastError && (
                <span className={styles.quiet}> {lastError}</span>
              )}
            </span>
          ),
        },
        {
          id: 'state',
          label: t('notices.logState'),
          width: 120,
          cell: ({ state }) => (
            <StatusBadge
              tone={TONES[state]}
              label={t(`notices.state.${state}`)}
            />
          ),
        },
        {
          id: 'created',
          label: t('notices.logTime'),
          width: 130,
          from: 'sm',
          cell: ({ createdAt }) => <RelativeTime value={createdAt} />,
        },
      ]}
    />
  );
}
