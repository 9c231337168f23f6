import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { RetentionRow } from '../api/InsightQuery';
import { analyticsTranslationRef } from '../translation';
import { Scrollable } from './Scrollable';
import { formatCount, formatShare } from './valueNames';
import styles from '../analytics.module.css';

/**
 * Shows people by when they started, and how many returned; higher shares have a
 * stronger cell colour.
 */
export function RetentionTable({ rows }: { rows: readonly RetentionRow[] }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const columns = rows[0]?.values ?? [];
  return (
    <Scrollable label={t('insight.retention')}>
      <table className={styles.figures}>
        <caption className={styles.hidden}>{t('insight.retention')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('insight.began')}</th>
            <th scope="col" className={styles.numeric}>
              {t('insight.people')}
            </th>
            {columns.slice(1).map(({ label }) => (
              <th key={label} scope="col" className={styles.numeric}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ date, values }) => {
            const [whole, ...later] = values.map(({ count }) => count);
            return (
              <tr key={date}>
                <th scope="row">
                  {date
                    .slice(0, 16)
                    .replace(/T00:00$/, '')
                    .replace('T', ' ')}
                </th>
                <td className={styles.numeric}>{formatCount(whole)}</td>
                {later.map((count, index) => (
                  <td
                    key={columns[index + 1].label}
                    className={styles.heat}
                    style={{
                      ['--heat' as string]: `${
                        whole === 0 ? 0 : Math.round((45 * count) / whole)
                      }%`,
                    }}
                    title={formatCount(count)}
                  >
                    {formatShare(count, whole)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scrollable>
  );
}
