import { Link, useLocation } from 'react-router-dom';
import styles from './log.module.css';

/** Leads to its line: what one sends to others. Left out of the order of tabs, as there are many. */
export function LineNumber({ number }: { number: number }) {
  return (
    <Link
      className={styles.number}
      to={{ hash: `L${number}` }}
      replace
      tabIndex={-1}
      aria-hidden
    >
      {number}
    </Link>
  );
}

/** The line that the address names, counted from 1. */
export function useAddressedLine(): number | undefined {
  const [, number] = /^#L([1-9]\d{0,8})$/.exec(useLocation().hash) ?? [];
  return number === undefined ? undefined : Number(number);
}
