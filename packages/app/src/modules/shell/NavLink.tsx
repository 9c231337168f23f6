import { ReactNode } from 'react';
import {
  Link,
  matchPath,
  useLocation,
  useResolvedPath,
} from 'react-router-dom';

/** Props of {@link NavLink}. */
interface NavLinkProps {
  href: string;
  icon: ReactNode;
  title: string;
  /** True for the home page, which is a prefix of every other. */
  exact?: boolean;
  /** Paths of pages that belong to this entry although they do not begin with its `href`. */
  parts?: readonly string[];
  /** Shown to the right of the title, e.g. a count; part of the link's name. */
  extra?: ReactNode;
  onClick?: () => void;
}

/** A sidebar entry, marked as current on its own page and on pages that belong to it. */
export function NavLink(props: NavLinkProps) {
  const {
    href,
    icon,
    title,
    exact = false,
    parts = [],
    extra,
    onClick,
  } = props;
  const { pathname } = useResolvedPath(href);
  const { pathname: here } = useLocation();
  const isCurrent = [pathname, ...parts].some(path =>
    matchPath({ path, end: exact }, here),
  );
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
