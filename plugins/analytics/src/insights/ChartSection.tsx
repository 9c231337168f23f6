import type { PropsWithChildren } from 'react';
import styles from '../analytics.module.css';

/** A titled section with a chart, and a figure that summarises it. */
export function ChartSection(
  props: PropsWithChildren<{
    label: string;
    figure?: string;
    /** True if the surroundings of the section already show its title. */
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
