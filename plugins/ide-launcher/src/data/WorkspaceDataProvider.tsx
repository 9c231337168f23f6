import type { PropsWithChildren } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { QueryClientProvider } from '@tanstack/react-query';
import { workspaceQueryClientApiRef } from '../api/queryClientApi';
import { useLiveUpdates } from './useLiveUpdates';

/** Gives a page or card the plugin's query cache, and keeps it live while shown. */
export function WorkspaceDataProvider({ children }: PropsWithChildren) {
  const client = useApi(workspaceQueryClientApiRef);
  return (
    <QueryClientProvider client={client}>
      <LiveUpdates />
      {children}
    </QueryClientProvider>
  );
}

function LiveUpdates() {
  useLiveUpdates();
  return null;
}
