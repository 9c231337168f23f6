import type { PortalClient } from '@slipway/service-kit';
import type { Notifier } from '../notices/SenderNotices.ts';

/** Notifications of the portal's own plugin. */
export class PortalNotifier implements Notifier {
  readonly #portal: PortalClient;

  constructor(options: { portal: PortalClient }) {
    this.#portal = options.portal;
  }

  async send(notification: Parameters<Notifier['send']>[0]): Promise<void> {
    const { user, ...payload } = notification;
    await this.#portal.post('/api/notifications/notifications', {
      recipients: { type: 'entity', entityRef: user },
      payload: { ...payload, severity: 'low', topic: 'Feedback' },
    });
  }
}
