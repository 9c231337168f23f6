import type { ServiceClient, CallOptions } from '@slipway/app-react';

/** The events that notices report, in the order in which the dialog shows them. */
export const NOTICE_EVENTS = [
  'flag-created',
  'flag-switched',
  'strategies-changed',
  'settings-changed',
  'flag-archived',
  'flag-restored',
  'flags-imported',
  'change-request-waiting',
  'change-request-approved',
  'change-request-applied',
  'change-request-closed',
  'schedule-ran',
  'schedule-paused',
] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

export const CHANNEL_KINDS = [
  'slack',
  'teams',
  'mattermost',
  'webhook',
] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** A chat or another receiver of notices; `*` in a list means all. */
export interface NoticeChannel {
  id: number;
  /** Counts its changes. */
  revision: number;
  name: string;
  kind: ChannelKind;
  /** The host of its URL; the service never returns the URL itself. */
  host: string;
  signed: boolean;
  projects: readonly string[];
  environments: readonly string[];
  events: readonly string[];
  enabled: boolean;
}

/** The settings of a channel; an omitted URL or secret is kept. */
export type ChannelSettings = Omit<
  NoticeChannel,
  'id' | 'revision' | 'host' | 'signed'
> & {
  url?: string;
  secret?: string;
};

/** The delivery of a notice to a channel, pending or finished. */
export interface NoticeDelivery {
  id: string;
  text: string;
  state: 'pending' | 'delivered' | 'given_up';
  attempts: number;
  createdAt: string;
  lastError: string | null;
}

/** The result of a test notice. */
export interface TestOutcome {
  delivered: boolean;
  error: string | null;
}

/** Channels that get notices of changes. */
export interface NoticeCalls {
  listChannels(options?: CallOptions): Promise<NoticeChannel[]>;
  createChannel(settings: ChannelSettings): Promise<NoticeChannel>;
  /** Changes a channel. @param revision - the one that was read; 412 if the channel has changed since. */
  updateChannel(
    id: number,
    changes: Partial<ChannelSettings>,
    revision?: number,
  ): Promise<NoticeChannel>;
  deleteChannel(id: number): Promise<void>;
  testChannel(id: number): Promise<TestOutcome>;
  listDeliveries(id: number, options?: CallOptions): Promise<NoticeDelivery[]>;
}

/** {@link NoticeCalls} of the service. */
export function noticeCalls(admin: ServiceClient): NoticeCalls {
  return {
    async listChannels(options) {
      const { channels } = await admin.json<{ channels: NoticeChannel[] }>(
        '/notices',
        options,
      );
      return channels;
    },

    createChannel(settings) {
      return admin.json('/notices', { method: 'POST', body: settings });
    },

    updateChannel(id, changes, revision) {
      return admin.json(`/notices/${id}`, {
        method: 'PATCH',
        body: changes,
        ...(revision !== undefined && { ifMatch: `"${revision}"` }),
      });
    },

    async deleteChannel(id) {
      await admin.send(`/notices/${id}`, { method: 'DELETE' });
    },

    testChannel(id) {
      return admin.json(`/notices/${id}/test`, { method: 'POST', body: {} });
    },

    async listDeliveries(id, options) {
      const { deliveries } = await admin.json<{
        deliveries: NoticeDelivery[];
      }>(`/notices/${id}/deliveries?limit=20`, options);
      return deliveries;
    },
  };
}
