import { ReactNode } from 'react';
import { CodeLine } from '../copy/CodeLine';
import './states.css';

/** Props of {@link EmptyState}. */
export interface EmptyStateProps {
  title: string;
  /** What will stand here, and where it comes from. */
  description: ReactNode;
  /** The one next step. */
  action?: ReactNode;
  /** A line to paste, where an interface feeds the page. */
  code?: string;
  /** Heading level of the title; 2 unless the state stands inside a panel. */
  level?: 2 | 3;
}

/** Stands where a list or chart will be, and says how it gets there. */
export function EmptyState(props: EmptyStateProps) {
  const { title, description, action, code, level = 2 } = props;
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className="slw-State">
      <Heading className="slw-StateTitle">{title}</Heading>
      <p className="slw-StateText">{description}</p>
      {action && <div className="slw-StateActions">{action}</div>}
      {code && <CodeLine code={code} />}
    </div>
  );
}
