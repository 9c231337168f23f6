import {
  coreServices,
  createBackendModule,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { notificationsEmailTemplateExtensionPoint } from '@backstage/plugin-notifications-backend-module-email';
import {
  type NotificationProcessor,
  notificationsProcessingExtensionPoint,
} from '@backstage/plugin-notifications-node';
import { openDatabase } from '@slipway/portal-kit/database';
import { MailOutbox, type MailTransport } from './MailOutbox';

/** Backstage's processor of mails: sends them with the transport that it opens at the first one. */
interface MailProcessor extends NotificationProcessor {
  transporter?: MailTransport;
  getTransporter(): Promise<MailTransport>;
}

/**
 * Lets mails wait for the mail server (docs/adr/0082). Backstage's processor still decides who gets
 * a mail and writes it, but sends it to the outbox; its own attempt is the only one, and its failure
 * is only logged.
 */
export const mailOutboxModule = createBackendModule({
  pluginId: 'notifications',
  moduleId: 'slipway-mail-outbox',
  register(env) {
    env.registerInit({
      deps: {
        config: coreServices.rootConfig,
        database: coreServices.database,
        logger: coreServices.logger,
        notifications: notificationsProcessingExtensionPoint,
        scheduler: coreServices.scheduler,
        // Provided by the module of mails, so this one starts before it adds its processor.
        order: notificationsEmailTemplateExtensionPoint,
      },
      async init({ config, database, logger, notifications, scheduler }) {
        const knex = await openDatabase({
          database,
          migrations: resolvePackagePath(
            '@slipway/backend',
            'migrations/notifications',
          ),
          migrationsTable: 'slipway_mails_migrations',
        });
        const { hostname } = new URL(config.getString('app.baseUrl'));
        const add = notifications.addProcessor.bind(notifications);
        notifications.addProcessor = (...processors) => {
          processors.flat().filter(isMailProcessor).forEach(redirect);
          add(...processors);
        };

        function redirect(processor: MailProcessor): void {
          // On a copy, because the transport of the processor itself is the outbox.
          const sender: MailProcessor = Object.create(processor);
          const outbox = new MailOutbox({
            knex,
            transport: () => sender.getTransporter(),
            host: hostname,
            logger,
          });
          sender.transporter = undefined;
          processor.transporter = { sendMail: mail => outbox.add(mail) };
          void scheduler.scheduleTask({
            id: 'send-mails',
            scope: 'local',
            frequency: { seconds: 30 },
            initialDelay: { seconds: 15 },
            timeout: { minutes: 15 },
            fn: () => outbox.run(),
          });
        }
      },
    });
  },
});

function isMailProcessor(
  processor: NotificationProcessor,
): processor is MailProcessor {
  return 'getTransporter' in processor;
}
