import type { PropsWithChildren } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { QueryClientProvider } from '@tanstack/react-query';
import { feedbackQueryClientApiRef } from '../api/queryClientApi';

/** Gives a page, card or dialog the plugin's query cache. */
export function FeedbackDataProvider({ children }: PropsWithChildren) {
  const client = useApi(feedbackQueryClientApiRef);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
