import type { ReactNode } from 'react';
import styles from '../analytics.module.css';

/** Scrolls content that is wider than the page sideways, by keyboard, too. */
export function Scrollable(props: {
  /** What the content is, for screen readers. */
  label: string;
  children: ReactNode;
}) {
  return (
    <div
      className={styles.scroll}
      role="group"
      aria-label={props.label}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      {props.children}
    </div>
  );
}
