import type { CommonConfig, ServiceKit } from '@slipway/service-kit';
import type { FeatureFlagsConfig } from '../config.ts';
import type { Registers } from '../registers/registers.ts';
import {
  enqueueFeatureWebhook,
  enqueueImportWebhook,
} from '../storage/featureWebhook.ts';
import type { TellFlags } from '../storage/FlagStore.ts';
import { NoticeChannelStore } from '../storage/NoticeChannelStore.ts';
import { NoticeOutbox } from '../storage/NoticeOutbox.ts';
import { NoticeChannels } from './NoticeChannels.ts';

/** Sets up the outbox of webhooks, and the notices about changes to chats and other channels. */
export function setUpNotices(
  kit: ServiceKit<FeatureFlagsConfig & CommonConfig>,
): {
  notices: NoticeOutbox;
  tell: TellFlags;
  openChannels: (
    registers: Pick<Registers, 'projects' | 'environments'>,
  ) => NoticeChannels;
} {
  const { database, outbox, portal, now } = kit;
  const { environment } = kit.config;
  const channels = new NoticeChannelStore(database);
  const notices = new NoticeOutbox({
    outbox,
    channels,
    appUrl: portal.appUrl,
  });
  return {
    notices,
    openChannels: ({ projects, environments }) =>
      new NoticeChannels({
        channels,
        outbox,
        appUrl: portal.appUrl,
        projectIds: async () => (await projects.list()).map(({ id }) => id),
        environmentNames: async () =>
          (await environments.list()).map(({ name }) => name),
        now,
      }),
    tell: {
      async change(trx, change) {
        await enqueueFeatureWebhook(outbox, trx, change, environment);
        await notices.tellChange(trx, change);
      },
      async imported(trx, changes) {
        await enqueueImportWebhook(outbox, trx, changes);
        await notices.tellImport(trx, changes);
      },
    },
  };
}
