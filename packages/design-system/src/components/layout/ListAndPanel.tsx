import type { ReactNode } from 'react';
import './ListAndPanel.css';

/** Props of {@link ListAndPanel}. */
export interface ListAndPanelProps {
  /** What is under the list, such as a table and its note. */
  children: ReactNode;
  /** A SidePanel with the details of one row, while one is open. */
  panel?: ReactNode;
}

/**
 * A list with the details of one of its rows beside it; where there is no room
 * for both, the details alone.
 */
export function ListAndPanel({ children, panel }: ListAndPanelProps) {
  return (
    <div className="slw-ListAndPanel" data-open={Boolean(panel)}>
      <div className="slw-ListAndPanelList">{children}</div>
      {panel}
    </div>
  );
}
