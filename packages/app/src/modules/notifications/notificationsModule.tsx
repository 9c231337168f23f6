import {
  coreExtensionData,
  createFrontendModule,
  ExtensionBoundary,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import notificationsPlugin from '@backstage/plugin-notifications/alpha';

const page = notificationsPlugin.getExtension('page:notifications').override({
  *factory(originalFactory, { node }) {
    yield* originalFactory();
    yield coreExtensionData.reactElement(
      ExtensionBoundary.lazy(node, () =>
        import('./NotificationsPage').then(({ NotificationsPage }) => (
          <NotificationsPage />
        )),
      ),
    );
  },
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
