import {
  coreServices,
  createBackendFeatureLoader,
  createBackendModule,
  type ExtensionPoint,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import type { NotificationsEmailTemplateExtensionPoint } from '@backstage/plugin-notifications-backend-module-email';
import {
  type NotificationProcessor,
  notificationsProcessingExtensionPoint,
} from '@backstage/plugin-notifications-node';
import { openDatabase } from '@slipway/portal-kit/database';
import { MailOutbox, type MailTransport } from './MailOutbox';
import { createMailTemplate } from './mailTemplate';
import { sentNotificationsRef } from './SentNotifications';

/**
 * Sends notifications by mail and to Slack where these are configured. Their SDKs are loaded only
 * then, because they take time and memory.
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

/** Backstage's mail processor, which opens its transport when it sends the first mail. */
interface MailProcessor extends NotificationProcessor {
  postProcess: NonNullable<NotificationProcessor['postProcess']>;
  transporter?: MailTransport;
  getTransporter(): Promise<MailTransport>;
}

/**
 * Creates the module that formats mails and stores them in the outbox until the mail server accepts
 * them (docs/adr/0082). Backstage's processor still decides who gets a mail, but passes it to the
 * outbox, because it would make a single attempt and only log a failure.
 *
 * @param template - the extension point of Backstage's mail module, which is loaded only if mail is
 *   configured. Requiring it makes this module start first, since the mail module provides it.
 */
function createMailModule(
  template: ExtensionPoint<NotificationsEmailTemplateExtensionPoint>,
) {
  return createBackendModule({
    pluginId: 'notifications',
    moduleId: 'slipway-mail',
    register(env) {
      env.registerInit({
        deps: {
          config: coreServices.rootConfig,
          database: coreServices.database,
          logger: coreServices.logger,
          notifications: notificationsProcessingExtensionPoint,
          scheduler: coreServices.scheduler,
          sent: sentNotificationsRef,
          template,
        },
        async init({ config, database, logger, notifications, ...deps }) {
          const portal = config.getString('app.baseUrl');
          deps.template.setTemplateRenderer(createMailTemplate(portal));
          const knex = await openDatabase({
            database,
            migrations: resolvePackagePath(
              '@slipway/backend',
              'migrations/notifications',
            ),
            migrationsTable: 'slipway_mails_migrations',
          });

          function redirect(processor: MailProcessor): void {
            // A copy that opens the connection: in all others, the outbox replaces the transport.
            const sender: MailProcessor = Object.create(processor);
            sender.transporter = undefined;
            const outbox = new MailOutbox({
              knex,
              transport: () => sender.getTransporter(),
              host: new URL(portal).hostname,
              logger,
            });
            deps.sent.mailsWaitIn(outbox);
            const { postProcess } = processor;
            processor.postProcess = (notification, options) => {
              // A copy for each notification, because a transport is not passed the notification of
              // a mail.
              const writer: MailProcessor = Object.create(processor);
              writer.transporter = {
                sendMail: mail => outbox.add(mail, notification),
              };
              return postProcess.call(writer, notification, options);
            };
            void deps.scheduler.scheduleTask({
              id: 'send-mails',
              scope: 'local',
              frequency: { seconds: 30 },
              initialDelay: { seconds: 15 },
              timeout: { minutes: 15 },
              fn: () => outbox.run(),
            });
          }

          const add = notifications.addProcessor.bind(notifications);
          notifications.addProcessor = (...processors) => {
            processors.flat().filter(isMailProcessor).forEach(redirect);
            add(...processors);
          };
        },
      });
    },
  });
}

function isMailProcessor(
  processor: NotificationProcessor,
): processor is MailProcessor {
  return 'getTransporter' in processor;
}
