import type { PropsWithChildren } from 'react';
import { useApiHolder } from '@backstage/frontend-plugin-api';
import { QueryClientProvider } from '@tanstack/react-query';
import { clientOf } from './clientsOfApp';

const APP = {};

/**
 * Provides the query client of the app itself, which is used for requests to all parts and shares
 * their results.
 */
export function AppQueries({ children }: PropsWithChildren<{}>) {
  return (
    <QueryClientProvider client={clientOf(useApiHolder(), APP)}>
      {children}
    </QueryClientProvider>
  );
}
