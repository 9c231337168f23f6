import { useMemo, useState, useSyncExternalStore } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { useDebounced, useServiceQuery } from '@slipway/app-react';
import { type BuildRef, buildsApiRef } from '../api/BuildsApi';
import { LogPages } from './LogPages';

const POLL_MS = 700;
const TYPING_MS = 250;

/** Returns the outline of a build's log, and updates it as the log grows. */
export function useLogOutline({ job, number }: BuildRef) {
  return useServiceQuery(
    buildsApiRef,
    ['log', job, number],
    (api, call) => api.getLogOutline({ job, number }, call),
    {
      refetchInterval: ({ state }) =>
        state.data?.more === false ? false : POLL_MS,
    },
  );
}

/** Returns the pages of a log, which are loaded when they scroll into view. */
export function useLogPages({ job, number }: BuildRef): LogPages {
  const api = useApi(buildsApiRef);
  const pages = useMemo(
    () => new LogPages(window => api.getLogLines({ job, number }, window)),
    [api, job, number],
  );
  useSyncExternalStore(pages.subscribe, pages.version);
  return pages;
}

/** Searches a build's log once the user has stopped typing. */
export function useLogSearch({ job, number }: BuildRef, text: string) {
  const debounced = useDebounced(text, text ? TYPING_MS : 0);
  return useServiceQuery(
    buildsApiRef,
    ['log', job, number, 'search', debounced],
    (api, call) => api.searchLog({ job, number }, debounced, call),
    { enabled: debounced !== '' && debounced === text },
  );
}

/** Boolean preference, stored in the browser. */
export function useRemembered(key: string): [boolean, (isOn: boolean) => void] {
  const name = `slipway.builds.${key}`;
  const [isOn, setIsOn] = useState(() => {
    try {
      return window.localStorage.getItem(name) === 'true';
    } catch {
      return false;
    }
  });
  return [
    isOn,
    next => {
      setIsOn(next);
      try {
        window.localStorage.setItem(name, String(next));
      } catch {
        // Storage may be disabled in the browser.
      }
    },
  ];
}
