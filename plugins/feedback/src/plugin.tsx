import { createFrontendPlugin } from '@backstage/frontend-plugin-api';
import { RiFeedbackLine } from '@remixicon/react';

/** Pages of feedback. */
export default createFrontendPlugin({
  pluginId: 'feedback',
  title: 'Feedback',
  icon: <RiFeedbackLine />,
  extensions: [],
});
