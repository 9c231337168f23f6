import type { PropsWithChildren } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { QueryClientProvider } from '@tanstack/react-query';
import { spaceQueryClientApiRef } from '../api/queryClientApi';

/** Gives a page, card or dialog the plugin's query cache. */
export function SpaceDataProvider({ children }: PropsWithChildren) {
  const client = useApi(spaceQueryClientApiRef);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
