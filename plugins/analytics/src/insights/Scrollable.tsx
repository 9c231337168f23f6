import type { ReactNode } from 'react';
import styles from '../analytics.module.css';

/** A container that scrolls wide content horizontally, including by keyboard. */
export function Scrollable(props: {
  /** The name of the content, for screen readers. */
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
