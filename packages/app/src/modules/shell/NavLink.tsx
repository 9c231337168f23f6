import { ReactNode } from 'react';
import { Link, useMatch, useResolvedPath } from 'react-router-dom';

/** Props of {@link NavLink}. */
interface NavLinkProps {
  href: string;
  icon: ReactNode;
  title: string;
  /** True for the home page, which is a prefix of every other. */
  exact?: boolean;
  /** Shown to the right of the title, e.g. a count; part of the link's name. */
  extra?: ReactNode;
  onClick?: () => void;
}

/** Renders an entry of the sidebar, marked as current on its page. */
export function NavLink(props: NavLinkProps) {
  const { href, icon, title, exact = false, extra, onClick } = props;
  const { pathname } = useResolvedPath(href);
  const isCurrent = Boolean(useMatch({ path: pathname, end: exact }));
  return (
    <Link
      className="slw-NavLink"
      to={href}
      title={title}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onClick}
    >
      <span className="slw-NavIcon" aria-hidden>
        {icon}
      </span>
      <span className="slw-NavText">{title}</span>
      {extra}
    </Link>
  );
}
