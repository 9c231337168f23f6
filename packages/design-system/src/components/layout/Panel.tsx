import { ReactNode, useId } from 'react';
import './Panel.css';

/** Props of {@link Panel}. */
export interface PanelProps {
  title: string;
  /** Shown to the right of the title. */
  action?: ReactNode;
  children: ReactNode;
  /** False if the content extends to the border, as in a table. */
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

/** Props of {@link Details}. */
export interface DetailsProps {
  items: readonly { label: string; value: ReactNode }[];
}

/** Facts about an object, as a definition list in columns. */
export function Details({ items }: DetailsProps) {
  return (
    <dl className="slw-Details">
      {items.map(item => (
        <div key={item.label}>
          <dt>{item.label}</dt>
          <dd>{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
