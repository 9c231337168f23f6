import { ReactNode } from 'react';
import './Details.css';

/** Props of {@link Details}. */
export interface DetailsProps {
  items: readonly { label: string; value: ReactNode }[];
}

/** Facts about one thing, as a definition list in columns. */
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
