import { ReactNode } from 'react';
import { NavContentNavItem } from '@backstage/plugin-app-react';
import { RiHome5Line, RiPuzzle2Line, RiShapesLine } from '@remixicon/react';
import { Link, useMatch, useResolvedPath } from 'react-router-dom';

/** Props of {@link NavLink}. */
interface NavLinkProps {
  href: string;
  icon: ReactNode;
  title: string;
  /** True for the home page, which is a prefix of every other. */
  exact?: boolean;
  /** At the right of the title, e.g. a count; part of the link's name. */
  extra?: ReactNode;
  onClick?: () => void;
}

/** An entry of the sidebar; marks the page it leads to as the current one. */
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

/** Stock plugins bring filled icons of another family. */
const ICONS: Record<string, ReactNode> = {
  'page:home': <RiHome5Line />,
  'page:catalog': <RiShapesLine />,
  'page:api-docs': <RiPuzzle2Line />,
};

/** The icon of a page in the sidebar. */
export function navIcon(item: NavContentNavItem): ReactNode {
  return ICONS[item.node.spec.id] ?? item.icon;
}
