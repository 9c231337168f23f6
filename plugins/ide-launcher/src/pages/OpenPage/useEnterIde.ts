import { useEffect, useMemo, useState } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import type { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import { useMutation } from '@tanstack/react-query';
import {
  type IdeDestination,
  ideLauncherApiRef,
} from '../../api/IdeLauncherApi';

/** The number of attempts within the window that indicates a redirect loop. */
const MAX_ENTRIES = 3;
const WINDOW_MS = 30_000;

/**
 * Records the times at which this tab was redirected to the IDE of a workspace, to detect a loop.
 *
 * A visit without the IDE's cookie is redirected to the portal for a new ticket. If the browser
 * rejects that cookie, the tab would be redirected back and forth forever.
 */
export class EntryRecord {
  readonly #key: string;
  readonly #storage: Storage;

  constructor(options: { workspaceId: string; storage: Storage }) {
    this.#key = `ide-launcher.entries.${options.workspaceId}`;
    this.#storage = options.storage;
  }

  /** Call before redirecting. `now` is in milliseconds since the epoch. */
  add(now: number = Date.now()): void {
    this.#storage.setItem(this.#key, [...this.#recent(now), now].join(','));
  }

  isLooping(now: number = Date.now()): boolean {
    return this.#recent(now).length >= MAX_ENTRIES;
  }

  clear(): void {
    this.#storage.removeItem(this.#key);
  }

  #recent(now: number): number[] {
    return (this.#storage.getItem(this.#key) ?? '')
      .split(',')
      .filter(Boolean)
      .map(Number)
      .filter(at => at > now - WINDOW_MS);
  }
}

/** Redirects to the IDE as soon as the workspace is running. */
export function useEnterIde(options: {
  workspaceId: string;
  status: WorkspaceStatus | undefined;
  destination: IdeDestination;
  /** Navigates this tab to a URL, replacing the current history entry. */
  leave: (url: string) => void;
}) {
  const { workspaceId, status, destination, leave } = options;
  const api = useApi(ideLauncherApiRef);
  const record = useMemo(
    () => new EntryRecord({ workspaceId, storage: window.sessionStorage }),
    [workspaceId],
  );
  const [isLooping, setIsLooping] = useState(() => record.isLooping());
  const {
    mutate: enter,
    reset,
    isIdle,
    error,
  } = useMutation({
    mutationFn: () => api.createTicket(workspaceId, destination),
    onSuccess: ({ url }) => {
      record.add();
      leave(url);
    },
  });

  const isRunning = status === 'Running';
  useEffect(() => {
    if (isRunning && isIdle && !isLooping) {
      enter();
    }
    if (!isRunning && !isIdle) {
      // It stopped before it could be opened; open it when it is running again.
      reset();
    }
  }, [isRunning, isIdle, isLooping, enter, reset]);

  return {
    error,
    isLooping,
    /** Tries again after an error or a loop. */
    retry: () => {
      record.clear();
      setIsLooping(false);
      reset();
    },
  };
}

/**
 * Parses the location in the workspace to open: `?return=<path>` and, for an endpoint, `?port=<port>`, as
 * set by the IDE gateway. Ignores anything but a path and a port number, because the query is untrusted
 * and must not lead to another host.
 */
export function parseDestination(query: URLSearchParams): IdeDestination {
  const path = query.get('return');
  const port = Number(query.get('port'));
  return {
    ...(path?.startsWith('/') && { path }),
    ...(Number.isInteger(port) && port >= 1 && port <= 65_535 && { port }),
  };
}
