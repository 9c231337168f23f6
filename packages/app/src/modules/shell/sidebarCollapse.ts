import { useSyncExternalStore } from 'react';

const KEY = 'slipway.sidebar.collapsed';

const listeners = new Set<() => void>();

const isCollapsed = () => window.localStorage.getItem(KEY) === 'true';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Collapses the sidebar in wide windows, or expands it; the choice is stored in the browser. */
export function setSidebarCollapsed(collapsed: boolean): void {
  window.localStorage.setItem(KEY, String(collapsed));
  listeners.forEach(listener => listener());
}

/** Returns whether the sidebar is collapsed in wide windows. */
export function useSidebarCollapsed(): boolean {
  return useSyncExternalStore(subscribe, isCollapsed);
}
