import {
  coreServices,
  createBackendFeatureLoader,
} from '@backstage/backend-plugin-api';
import { createMailModule } from './mailModule';

/**
 * Sends notifications by mail and to Slack where these are configured. Not loaded otherwise: their
 * SDKs take time and memory.
 */
export const notificationChannels = createBackendFeatureLoader({
  deps: { config: coreServices.rootConfig },
  async *loader({ config }) {
    if (config.has('notifications.processors.email')) {
      yield import('@backstage/plugin-notifications-backend-module-email');
      const mail =
        await import('@backstage/plugin-notifications-backend-module-email');
      yield createMailModule(mail.notificationsEmailTemplateExtensionPoint);
    }
    if (config.has('notifications.processors.slack')) {
      yield import('@backstage/plugin-notifications-backend-module-slack');
    }
  },
});
