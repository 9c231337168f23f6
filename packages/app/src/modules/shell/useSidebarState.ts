import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';

const COLLAPSED_KEY = 'slipway.sidebar.collapsed';

/** The state of the sidebar: narrow (in wide windows) and open over the page (in narrow ones). */
export interface SidebarState {
  isCollapsed: boolean;
  toggleCollapsed(): void;
  isDrawerOpen: boolean;
  setDrawerOpen(isOpen: boolean): void;
}

/** Keeps the narrow state in the browser; closes the drawer on navigation and on Escape. */
export function useSidebarState(): SidebarState {
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
