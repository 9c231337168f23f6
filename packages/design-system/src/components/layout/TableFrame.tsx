import type { ReactNode } from 'react';
import './TableFrame.css';

/** Props of {@link TableFrame}. */
export interface TableFrameProps {
  /** A TableRoot of `@backstage/ui`. */
  children: ReactNode;
  /** Class name that sets the widths of columns where the table has less room. */
  className?: string;
}

/** The card around a table, whose head stays in sight while rows scroll. */
export function TableFrame({ children, className = '' }: TableFrameProps) {
  return <div className={`slw-TableFrame ${className}`}>{children}</div>;
}
