import { useCallback, useEffect, useId, useState } from 'react';
import {
  identityApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { NavContentComponentProps } from '@backstage/plugin-app-react';
import { NotificationsSidebarItem } from '@backstage/plugin-notifications';
import { Avatar } from '@backstage/ui';
import {
  RiCloseLine,
  RiMenuLine,
  RiNotification3Line,
  RiSidebarFoldLine,
  RiSidebarUnfoldLine,
} from '@remixicon/react';
import { Link, useLocation } from 'react-router-dom';
import { appTranslationRef } from '../../translation';
import { Logo } from './Logo';
import { navIcon, NavLink } from './NavLink';
import { SearchButton } from './SearchButton';
import { TabTitle } from './TabTitle';
import { groupNavItems, NavGroup, shortcutPages } from './navGroups';
import './Sidebar.css';

/**
 * Navigation at the left; a bar with a drawer in narrow windows.
 */
export function Sidebar({ navItems }: NavContentComponentProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const state = useSidebarState();
  const drawerId = useId();
  const { home, groups } = groupNavItems(navItems);
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
          <SearchButton pages={pages} />
          {home && (
            <NavLink
              exact
              href={home.href}
              icon={navIcon(home)}
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
            <NavLink href={item.href} icon={navIcon(item)} title={item.title} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const COLLAPSED_KEY = 'slipway.sidebar.collapsed';

/** The state of the sidebar: narrow (in wide windows) and open over the page (in narrow ones). */
interface SidebarState {
  isCollapsed: boolean;
  toggleCollapsed(): void;
  isDrawerOpen: boolean;
  setDrawerOpen(isOpen: boolean): void;
}

/** Keeps the narrow state in the browser; closes the drawer on navigation and on Escape. */
function useSidebarState(): SidebarState {
  const [isCollapsed, setIsCollapsed] = useState(
    () => window.localStorage.getItem(COLLAPSED_KEY) === 'true',
  );
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const { pathname } = useLocation();

  useEffect(() => setDrawerOpen(false), [pathname]);

  useEffect(() => {
    if (!isDrawerOpen) {
      return undefined;
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        setDrawerOpen(false);
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isDrawerOpen]);

  const toggleCollapsed = useCallback(() => {
    setIsCollapsed(current => {
      window.localStorage.setItem(COLLAPSED_KEY, String(!current));
      return !current;
    });
  }, []);

  return { isCollapsed, toggleCollapsed, isDrawerOpen, setDrawerOpen };
}

/** Notifications and the signed-in user. */
function SidebarFoot() {
  const { t } = useTranslationRef(appTranslationRef);
  const name = useUserName();
  return (
    <ul className="slw-NavList">
      <li>
        <NotificationsSidebarItem
          titleCounterEnabled={false}
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
        <NavLink
          href="/settings"
          icon={
            <Avatar src="" name={name} size="x-small" purpose="decoration" />
          }
          title={name}
        />
      </li>
    </ul>
  );
}

function useUserName(): string {
  const identityApi = useApi(identityApiRef);
  const [name, setName] = useState('');
  useEffect(() => {
    let isCurrent = true;
    Promise.all([
      identityApi.getProfileInfo(),
      identityApi.getBackstageIdentity(),
    ]).then(([profile, { userEntityRef }]) => {
      if (isCurrent) {
        setName(profile.displayName ?? userEntityRef.split('/').pop() ?? '');
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [identityApi]);
  return name;
}
