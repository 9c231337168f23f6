import type { PropsWithChildren } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { QueryClientProvider } from '@tanstack/react-query';
import { buildsQueryClientApiRef } from '../api/queryClientApi';

/** Gives a page or tab the plugin's query cache. */
export function BuildsDataProvider({ children }: PropsWithChildren) {
  const client = useApi(buildsQueryClientApiRef);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
