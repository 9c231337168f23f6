import { useEffect } from 'react';
import { useApiHolder } from '@backstage/frontend-plugin-api';
import { signalApiRef } from '@backstage/plugin-signals-react';
import { WORKSPACE_SIGNAL_CHANNEL } from '@slipway/plugin-ide-launcher-common';
import { QueryClient, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from './workspaceQueries';

/** Log lines come in bursts; one read per burst is enough. */
const LOG_READ_DELAY_MS = 250;

/**
 * Reads again what a signal says has changed.
 *
 * Subscribes to the API itself: `useSignal` keeps only the last message of a render, and would
 * drop one of two workspaces that change together.
 */
export function useLiveUpdates(): void {
  const signals = useApiHolder().get(signalApiRef);
  const client = useQueryClient();
  useEffect(() => {
    if (!signals) {
      return undefined;
    }
    const logReads = new Map<string, ReturnType<typeof setTimeout>>();
    const readLog = (workspaceId: string) => {
      if (logReads.has(workspaceId)) {
        return;
      }
      const timer = setTimeout(() => {
        logReads.delete(workspaceId);
        client.invalidateQueries({ queryKey: queryKeys.log(workspaceId) });
      }, LOG_READ_DELAY_MS);
      logReads.set(workspaceId, timer);
    };
    const subscription = signals.subscribe(
      WORKSPACE_SIGNAL_CHANNEL,
      message => {
        const { type, workspaceId } = message;
        if (typeof workspaceId !== 'string') {
          return;
        }
        if (type === 'log') {
          readLog(workspaceId);
        } else {
          readWorkspace(client, workspaceId);
        }
      },
    );
    return () => {
      subscription.unsubscribe();
      logReads.forEach(clearTimeout);
    };
  }, [signals, client]);
}

/** Marks a workspace and everything that counts it as outdated; what is on screen is read at once. */
export function readWorkspace(client: QueryClient, workspaceId: string): void {
  client.invalidateQueries({ queryKey: queryKeys.list });
  client.invalidateQueries({ queryKey: queryKeys.workspace(workspaceId) });
  client.invalidateQueries({ queryKey: queryKeys.options });
}
