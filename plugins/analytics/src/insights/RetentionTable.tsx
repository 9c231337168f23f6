import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { formatDay } from '@slipway/design-system';
import type { RetentionRow } from '../api/InsightQuery';
import { analyticsTranslationRef } from '../translation';
import { Scrollable } from './Scrollable';
import {
  formatCount,
  formatShare,
  nameOfValue,
  useValueWords,
} from './valueNames';
import styles from '../analytics.module.css';

/**
 * Shows people by when they started, and how many returned; higher shares have a
 * stronger cell colour. There is one table for each value of a breakdown.
 */
export function RetentionTables({ rows }: { rows: readonly RetentionRow[] }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const words = useValueWords();
  const values = [...new Set(rows.map(row => row.breakdown_value))];
  return (
    <div className={styles.stack}>
      {values.map(value => (
        <RetentionTable
          key={String(value)}
          label={
            value === undefined
              ? t('insight.retention')
              : nameOfValue(value, words)
          }
          hasTitle={value !== undefined}
          rows={rows.filter(row => row.breakdown_value === value)}
        />
      ))}
    </div>
  );
}

function RetentionTable(props: {
  label: string;
  hasTitle: boolean;
  rows: readonly RetentionRow[];
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { label: title, hasTitle, rows } = props;
  const columns = rows[0]?.values ?? [];
  return (
    <Scrollable label={title}>
      <table className={styles.figures}>
        <caption className={hasTitle ? undefined : styles.hidden}>
          {title}
        </caption>
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
                <th scope="row">{formatStart(date)}</th>
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

/** Formats the start of an interval, without the time of day if it is midnight: "4 Oct, 14:00". */
function formatStart(date: string): string {
  const time = date.slice(11, 16);
  return [formatDay(date.slice(0, 10)), time === '00:00' ? '' : time]
    .filter(Boolean)
    .join(', ');
}
