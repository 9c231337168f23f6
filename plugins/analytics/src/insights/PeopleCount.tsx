import type { PropsWithChildren } from 'react';
import { Link } from 'react-router-dom';

/** Shows a number of people, which links to them if there are any and they may be shown. */
export function PeopleCount(
  props: PropsWithChildren<{
    people: number;
    /** Undefined if the people are not shown. */
    href: string | undefined;
    /** Name of the link for screen readers; begins with the shown text. */
    label: string;
  }>,
) {
  const { people, href, label, children } = props;
  return href !== undefined && people > 0 ? (
    <Link to={href} aria-label={label}>
      {children}
    </Link>
  ) : (
    <>{children}</>
  );
}
