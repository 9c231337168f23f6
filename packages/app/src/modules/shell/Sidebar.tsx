import {
  type FocusEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { NavContentComponentProps } from '@backstage/plugin-app-react';
import { NotificationsSidebarItem } from '@backstage/plugin-notifications';
import {
  RiCloseLine,
  RiMenuLine,
  RiNotification3Line,
  RiSidebarFoldLine,
  RiSidebarUnfoldLine,
} from '@remixicon/react';
import { SidebarFootSlot } from '@slipway/app-react';
import { Link, useLocation } from 'react-router-dom';
import { appTranslationRef } from '../../translation';
import { Logo } from './Logo';
import { NavLink } from './NavLink';
import { pageIcon } from './pageIcons';
import { NotificationToasts } from '../notifications/NotificationToasts';
import { PaletteButton } from '../palette/PaletteButton';
import { TabTitle } from './TabTitle';
import { useIsAdmin } from './useIsAdmin';
import { UserMenu } from './UserMenu';
import { setSidebarCollapsed, useSidebarCollapsed } from './sidebarCollapse';
import { groupNavItems, NavGroup, partsOf, shortcutPages } from './navGroups';
import './Sidebar.css';

/** Renders the navigation at the left; in narrow windows a bar with a drawer. */
export function Sidebar({ navItems }: NavContentComponentProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const state = useSidebarState();
  const drawerId = useId();
  const { home, groups: all } = groupNavItems(navItems);
  const isAdmin = useIsAdmin();
  const groups = all.filter(({ id }) => id !== 'admin' || isAdmin);
  const places = [...navItems.clone().rest()];
  const pages = shortcutPages([
    ...(home ? [home] : []),
    ...groups.flatMap(group => group.items),
  ]);
  const CollapseIcon = state.isCollapsed
    ? RiSidebarUnfoldLine
    : RiSidebarFoldLine;
  const DrawerIcon = state.isDrawerOpen ? RiCloseLine : RiMenuLine;

  return (
    <nav
      className="slw-Sidebar"
      aria-label={t('nav.label')}
      data-collapsed={state.isCollapsed}
      data-open={state.isDrawerOpen}
      onBlur={state.onBlur}
    >
      <div className="slw-SidebarHead">
        <Link to={home?.href ?? '/'} aria-label={t('nav.home')}>
          <Logo />
        </Link>
        <button
          type="button"
          className="slw-SidebarCollapse"
          aria-label={t(state.isCollapsed ? 'nav.expand' : 'nav.collapse')}
          aria-expanded={!state.isCollapsed}
          aria-controls={drawerId}
          onClick={state.toggleCollapsed}
        >
          <CollapseIcon size={20} aria-hidden />
        </button>
        <button
          ref={state.drawerButton}
          type="button"
          className="slw-SidebarMenu"
          aria-label={t(state.isDrawerOpen ? 'nav.close' : 'nav.open')}
          aria-expanded={state.isDrawerOpen}
          aria-controls={drawerId}
          onClick={() => state.setDrawerOpen(!state.isDrawerOpen)}
        >
          <DrawerIcon size={20} aria-hidden />
        </button>
      </div>
      <div className="slw-SidebarBody" id={drawerId}>
        <div className="slw-SidebarScroll">
          <PaletteButton pages={pages} />
          {home && (
            <NavLink
              exact
              href={home.href}
              icon={pageIcon(home)}
              title={home.title}
            />
          )}
          {groups.map(group => (
            <SidebarGroup key={group.id} group={group} />
          ))}
        </div>
        <SidebarFoot />
      </div>
      {/* Last: its effect follows that of the notifications. */}
      <TabTitle places={places} />
    </nav>
  );
}

function SidebarGroup({ group }: { group: NavGroup }) {
  const { t } = useTranslationRef(appTranslationRef);
  const labelId = useId();
  return (
    <div className="slw-NavGroup">
      <h2 id={labelId}>{t(`nav.groups.${group.id}`)}</h2>
      <ul className="slw-NavList" aria-labelledby={labelId}>
        {group.items.map(item => (
          <li key={item.node.spec.id}>
            <NavLink
              href={item.href}
              icon={pageIcon(item)}
              title={item.title}
              parts={partsOf(item)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * The state of the sidebar: collapsed (in wide windows), and open over the page (in
 * narrow ones).
 */
interface SidebarState {
  isCollapsed: boolean;
  toggleCollapsed(): void;
  isDrawerOpen: boolean;
  setDrawerOpen(isOpen: boolean): void;
  /** The button that opens the drawer. */
  drawerButton: RefObject<HTMLButtonElement>;
  onBlur(event: FocusEvent): void;
}

/**
 * Closes the drawer on navigation, even to the same page, on Escape, and when the focus moves to the
 * page below it.
 */
function useSidebarState(): SidebarState {
  const isCollapsed = useSidebarCollapsed();
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const drawerButton = useRef<HTMLButtonElement>(null);
  const { key } = useLocation();

  useEffect(() => setDrawerOpen(false), [key]);

  useEffect(() => {
    if (!isDrawerOpen) {
      return undefined;
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        setDrawerOpen(false);
        drawerButton.current?.focus();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isDrawerOpen]);

  const toggleCollapsed = () => setSidebarCollapsed(!isCollapsed);

  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget?.closest('.slw-AppContent')) {
      setDrawerOpen(false);
    }
  };

  return {
    isCollapsed,
    toggleCollapsed,
    isDrawerOpen,
    setDrawerOpen,
    drawerButton,
    onBlur,
  };
}

/** Renders notifications, items of plugins, and the signed-in user. */
function SidebarFoot() {
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <ul className="slw-NavList">
      <li>
        <NotificationToasts />
        <NotificationsSidebarItem
          titleCounterEnabled={false}
          // NotificationToasts replaces its messages, which look and behave differently from all
          // others.
          snackbarEnabled={false}
          renderItem={({ unreadCount, to, onClick }) => (
            <NavLink
              href={to}
              icon={<RiNotification3Line size={20} />}
              title={t('nav.notifications')}
              onClick={onClick}
              extra={
                unreadCount > 0 && (
                  <span
                    className="slw-NavCount"
                    aria-label={t('nav.unread', { count: unreadCount })}
                  >
                    {unreadCount}
                  </span>
                )
              }
            />
          )}
        />
      </li>
      <li>
        <SidebarFootSlot />
      </li>
      <li>
        <UserMenu />
      </li>
    </ul>
  );
}
