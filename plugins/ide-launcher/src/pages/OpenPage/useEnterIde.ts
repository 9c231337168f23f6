import { useEffect, useMemo, useState } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import type { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import { useMutation } from '@tanstack/react-query';
import {
  type IdeDestination,
  ideLauncherApiRef,
} from '../../api/IdeLauncherApi';

/** The number of entries within the window that means the IDE sends the tab back each time. */
const MAX_ENTRIES = 3;
const WINDOW_MS = 30_000;

/**
 * Remembers, for this tab, when it left for the IDE of a workspace.
 *
 * A visit without the IDE's cookie is sent back to the portal for a new ticket. Where the browser
 * refuses that cookie, the two would pass the tab to and fro without end.
 */
export class EntryRecord {
  readonly #key: string;
  readonly #storage: Storage;

  constructor(options: { workspaceId: string; storage: Storage }) {
    this.#key = `ide-launcher.entries.${options.workspaceId}`;
    this.#storage = options.storage;
  }

  /** Call before leaving. `now` in milliseconds since the epoch. */
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

/** Leaves the portal for the IDE as soon as the workspace runs. */
export function useEnterIde(options: {
  workspaceId: string;
  status: WorkspaceStatus | undefined;
  destination: IdeDestination;
  /** Takes this tab to an address, without leaving the current one in its history. */
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
      // It stopped before it could be entered; enter once it runs again.
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
 * Reads where the IDE gateway wants a signed-out visitor back: `?return=<path>` and, for an endpoint,
 * `?port=<port>`. Anything else than a path and a port number is ignored: the query may come from
 * anywhere, and must not be able to lead to another host.
 */
export function parseDestination(query: URLSearchParams): IdeDestination {
  const path = query.get('return');
  const port = Number(query.get('port'));
  return {
    ...(path?.startsWith('/') && { path }),
    ...(Number.isInteger(port) && port >= 1 && port <= 65_535 && { port }),
  };
}
