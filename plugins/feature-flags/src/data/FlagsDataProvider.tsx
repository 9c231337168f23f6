import type { PropsWithChildren } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { QueryClientProvider } from '@tanstack/react-query';
import { flagsQueryClientApiRef } from '../api/queryClientApi';

/** Gives a page or dialog the plugin's query cache. */
export function FlagsDataProvider({ children }: PropsWithChildren) {
  const client = useApi(flagsQueryClientApiRef);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
