import type { PropsWithChildren } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { QueryClientProvider } from '@tanstack/react-query';
import { analyticsQueryClientApiRef } from '../api/queryClientApi';

/** Gives the pages the plugin's query cache. */
export function AnalyticsDataProvider({ children }: PropsWithChildren) {
  const client = useApi(analyticsQueryClientApiRef);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
