import type { ReactNode } from 'react';
import { RiAlertLine, RiEyeOffLine } from '@remixicon/react';
import styles from './Note.module.css';

const ICONS = { hidden: RiEyeOffLine, warning: RiAlertLine };

/** What must be known to read numbers: that something is hidden, or wrong. */
export function Note(props: { kind: keyof typeof ICONS; children: ReactNode }) {
  const { kind, children } = props;
  const Icon = ICONS[kind];
  return (
    <p className={styles.note} data-kind={kind}>
      <Icon size={16} aria-hidden />
      {children}
    </p>
  );
}
