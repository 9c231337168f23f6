import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Sparkline } from '@slipway/design-system';
import type { UsagePoint } from '../../api/types';
import { formatCount } from '../../components/formatCount';
import { flagsTranslationRef } from '../../translation';
import styles from './FlagList.module.css';

/** How often a flag was asked for in 24 hours. */
export function RecentUsage(props: {
  /** Undefined while it is not known. */
  points: readonly UsagePoint[] | undefined;
}) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { points } = props;
  if (!points) {
    return null;
  }
  const totals = points.map(({ yes, no }) => yes + no);
  const total = totals.reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    return <span className={styles.quiet}>{t('usage.none')}</span>;
  }
  return (
    <span className={styles.usage}>
      <span className={styles.spark}>
        <Sparkline values={totals} />
      </span>
      {formatCount(total)}
    </span>
  );
}
