import {
  createFrontendModule,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import notificationsPlugin from '@backstage/plugin-notifications/alpha';
import { replaceElement } from '../../elements';

const page = notificationsPlugin.getExtension('page:notifications').override({
  factory: replaceElement(() =>
    import('./NotificationsPage').then(({ NotificationsPage }) => (
      <NotificationsPage />
    )),
  ),
});

const settings = SubPageBlueprint.make({
  name: 'settings',
  attachTo: { id: 'page:user-settings', input: 'pages' },
  params: {
    path: 'notifications',
    title: 'Notifications',
    loader: () =>
      import('./NotificationSettings').then(({ NotificationSettings }) => (
        <NotificationSettings />
      )),
  },
});

/** The notifications page with our list, built on Backstage's notifications and signals. */
export const notificationsModule = createFrontendModule({
  pluginId: 'notifications',
  extensions: [page, settings],
});
