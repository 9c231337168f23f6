import type { NotificationTemplateRenderer } from '@backstage/plugin-notifications-backend-module-email';
import { resolveNotificationLink } from '@backstage/plugin-notifications-node';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character]);
}

/**
 * Creates the renderer of mails. It escapes all texts, because they come from senders of feedback
 * and authors of commits; Backstage's own renderer inserts them as HTML.
 *
 * @param portal - the URL of the portal, for links and for notifications without a link.
 */
export function createMailTemplate(
  portal: string,
): NotificationTemplateRenderer {
  const partsOf = ({
    payload,
  }: Parameters<NotificationTemplateRenderer['getText'] & {}>[0]) => ({
    title: payload.title,
    description: payload.description ?? '',
    link:
      resolveNotificationLink(payload.link, portal) ??
      `${portal.replace(/\/$/, '')}/notifications`,
  });
  return {
    async getSubject(notification) {
      return notification.payload.title.split('\n', 1)[0];
    },
    async getText(notification) {
      const { description, link } = partsOf(notification);
      return [description, link].filter(Boolean).join('\n\n');
    },
    async getHtml(notification) {
      const { title, description, link } = partsOf(notification);
      return [
        description && `<p>${escapeHtml(description)}</p>`,
        `<p><a href="${escapeHtml(link)}">${escapeHtml(title)}</a></p>`,
      ].join('');
    },
  };
}
