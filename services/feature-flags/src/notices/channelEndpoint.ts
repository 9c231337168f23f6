import { isoOf } from '@slipway/entity-contract';
import {
  type ChatMessage,
  chatPayload,
  type WebhookEndpoint,
} from '@slipway/service-kit';
import type { Notice, NoticeChannel } from '../model/Notice.ts';

/** The name of the outbox's events that contain notices. */
export const NOTICE = 'notice';

/** Returns the id of a channel's endpoint in the outbox. */
export function endpointId({ id }: Pick<NoticeChannel, 'id'>): string {
  return `notice-${id}`;
}

/**
 * Returns the endpoint of a channel, which writes each notice as the channel's kind expects it.
 *
 * @param appUrl - the URL of the portal's pages, to which notices link.
 */
export function endpointOf(
  channel: NoticeChannel,
  appUrl: string,
): WebhookEndpoint {
  const { kind, url, secret } = channel;
  return {
    id: endpointId(channel),
    url,
    ...(secret !== null && { secret }),
    // No subscription: each notice is addressed to its channel.
    events: [],
    async prepare(body) {
      const notice: Notice = JSON.parse(body);
      const link = linkOf(notice, appUrl);
      const payload =
        kind === 'webhook'
          ? webhookPayload(notice, link.url)
          : chatPayload(kind, { ...notice, link });
      return { url, body: JSON.stringify(payload) };
    },
  };
}

function linkOf({ flag }: Notice, appUrl: string): ChatMessage['link'] {
  return flag === null
    ? { title: 'View flags', url: `${appUrl}/flags` }
    : {
        title: `View ${flag}`,
        url: `${appUrl}/flags/flag/${encodeURIComponent(flag)}`,
      };
}

function webhookPayload(notice: Notice, url: string): object {
  const { events, at, by, text, details, flag, projects, environments } =
    notice;
  return {
    event: events[0],
    events,
    createdAt: isoOf(at),
    createdBy: by,
    text,
    details,
    url,
    data: { flag, projects, environments },
  };
}
