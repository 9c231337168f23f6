import { createApiRef } from '@backstage/frontend-plugin-api';
import type { QueryClient } from '@tanstack/react-query';

/**
 * The plugin's one query cache, an API of the app so that pages, the widget and
 * the command share it while two apps (or two tests) do not.
 */
export const feedbackQueryClientApiRef = createApiRef<QueryClient>().with({
  id: 'plugin.feedback.query-client',
  pluginId: 'feedback',
});

export { createServiceQueryClient as createFeedbackQueryClient } from '@slipway/app-react';
