import { useEffect, useMemo, useState } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import type { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import { useMutation } from '@tanstack/react-query';
import {
  type IdeDestination,
  ideLauncherApiRef,
} from '../../api/IdeLauncherApi';
import { EntryRecord } from './EntryRecord';

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
