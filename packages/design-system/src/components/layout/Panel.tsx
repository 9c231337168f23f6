import { ReactNode, useId } from 'react';
import './Panel.css';

/** Props of {@link Panel}. */
export interface PanelProps {
  title: string;
  /** At the right of the title. */
  action?: ReactNode;
  children: ReactNode;
  /** False when the content reaches the border, as a table does. */
  padded?: boolean;
}

/** A bordered section of a page with a heading. */
export function Panel({ title, action, children, padded = true }: PanelProps) {
  const headingId = useId();
  return (
    <section className="slw-Panel" aria-labelledby={headingId}>
      <div className="slw-PanelHead">
        <h2 id={headingId}>{title}</h2>
        {action}
      </div>
      <div className="slw-PanelBody" data-padded={padded}>
        {children}
      </div>
    </section>
  );
}
