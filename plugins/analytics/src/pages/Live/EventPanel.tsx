import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Details, RelativeTime, SidePanel } from '@slipway/design-system';
import type { CapturedEvent } from '../../api/types';
import { cellText } from '../../components/cellText';
import { analyticsTranslationRef } from '../../translation';
import styles from './Live.module.css';

/** An event with all of its properties. */
export function EventPanel(props: { event: CapturedEvent; onClose(): void }) {
  const { event, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <SidePanel title={event.event} onClose={onClose}>
      <Details
        items={[
          {
            label: t('live.user'),
            value: event.distinct_id ?? t('live.hidden'),
          },
          {
            label: t('live.time'),
            value: <RelativeTime value={event.timestamp} />,
          },
          {
            label: t('live.arrived'),
            value: <RelativeTime value={event.created_at} />,
          },
          { label: t('live.id'), value: event.uuid },
          ...Object.entries(event.properties).map(([name, value]) => ({
            label: name,
            value: <span className={styles.value}>{cellText(value)}</span>,
          })),
        ]}
      />
    </SidePanel>
  );
}
