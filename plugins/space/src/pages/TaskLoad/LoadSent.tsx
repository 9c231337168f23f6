import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows, Panel } from '@slipway/design-system';
import { Done } from '../../components/Done';
import type { LoadReceipt } from '../../api/types';
import { useDimension } from '../../data/useMetrics';
import { useMyTeam } from '../../data/useMyTeam';
import { shownOf } from '../../format/fields';
import { formatNumber } from '../../format/fieldValue';
import { samplesText } from '../../format/samplesText';
import { spaceTranslationRef } from '../../translation';
import styles from './TaskLoad.module.css';

/** What the task comes to, beside what others sent. */
export function LoadSent(props: { receipt: LoadReceipt; onAgain(): void }) {
  const { receipt, onAgain } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <Panel title={t('load.doneTitle')}>
      <div className={styles.done}>
        <Done>
          {t('load.done', { index: formatNumber(receipt.cognitiveLoadIndex) })}
        </Done>
        <OthersLoad />
        <Button size="small" variant="secondary" onPress={onAgain}>
          {t('load.again')}
        </Button>
      </div>
    </Panel>
  );
}

function OthersLoad() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { query } = useMyTeam();
  const { data, error, isPending, refetch } = useDimension('efficiency', query);
  if (isPending) {
    return <LoadingRows label={t('others.loading')} rows={1} />;
  }
  if (error) {
    return (
      <ReadFailure
        title={t('others.failed')}
        error={error}
        onRetry={() => refetch()}
      />
    );
  }
  const load = shownOf('cognitive_load_index', data);
  switch (load.state) {
    case 'none':
      return <p className={styles.quiet}>{t('load.othersNone')}</p>;
    case 'hidden':
      return (
        <p className={styles.quiet}>
          {t('load.othersHidden', { count: data.minimumGroupSize })}
        </p>
      );
    default:
      return (
        <p className={styles.quiet}>
          {t('load.others', {
            index: formatNumber(load.value),
            samples: samplesText(t, 'cognitive_load_index', load.samples) ?? '',
          })}
        </p>
      );
  }
}
