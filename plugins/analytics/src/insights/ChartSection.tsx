import type { PropsWithChildren } from 'react';
import styles from '../analytics.module.css';

/** A titled section with a chart, and a figure that sums it up. */
export function ChartSection(
  props: PropsWithChildren<{
    label: string;
    figure?: string;
    /** True if what is around the section names it. */
    isUntitled?: boolean;
  }>,
) {
  const { label, figure, isUntitled = false, children } = props;
  return (
    <section className={styles.chart} aria-label={label}>
      {!isUntitled && (
        <h3 className={styles.chartTitle}>
          <span>{label}</span>
          {figure !== undefined && (
            <span className={styles.number}>{figure}</span>
          )}
        </h3>
      )}
      {children}
    </section>
  );
}
