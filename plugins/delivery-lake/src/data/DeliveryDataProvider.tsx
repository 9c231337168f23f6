import type { PropsWithChildren } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { QueryClientProvider } from '@tanstack/react-query';
import { deliveryQueryClientApiRef } from '../api/queryClientApi';

/** Gives a page or card the plugin's query cache. */
export function DeliveryDataProvider({ children }: PropsWithChildren) {
  const client = useApi(deliveryQueryClientApiRef);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
