import { ReactNode } from 'react';
import './Page.css';

/** Props of {@link Page}. */
export interface PageProps {
  /** A PageHeader. */
  header: ReactNode;
  children: ReactNode;
}

/** The frame of a page: its header and, below, content in a column with even gaps. */
export function Page({ header, children }: PageProps) {
  return (
    <main className="slw-Page">
      {header}
      <div className="slw-PageBody">{children}</div>
    </main>
  );
}
