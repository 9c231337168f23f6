import { useServiceChange, useServiceQuery } from '@slipway/app-react';
import { flagsApiRef } from '../api/FlagsApi';
import type { ChannelSettings, NoticeChannel } from '../api/notices';

export function useChannels() {
  return useServiceQuery(flagsApiRef, ['notice-channels'], (api, call) =>
    api.listChannels(call),
  );
}

/** Creates a channel, or changes one; fails with 412 if others have changed it since it was read. */
export function useSaveChannel(read: NoticeChannel | undefined) {
  return useServiceChange(flagsApiRef, (api, settings: ChannelSettings) =>
    read === undefined
      ? api.createChannel(settings)
      : api.updateChannel(read.id, settings, read.revision),
  );
}

export function useSwitchChannel(id: number) {
  return useServiceChange(flagsApiRef, (api, enabled: boolean) =>
    api.updateChannel(id, { enabled }),
  );
}

export function useDeleteChannel() {
  return useServiceChange(flagsApiRef, (api, id: number) =>
    api.deleteChannel(id),
  );
}

/** Sends a test notice to a channel. */
export function useTestChannel() {
  return useServiceChange(flagsApiRef, (api, id: number) =>
    api.testChannel(id),
  );
}

/** The latest notices to a channel, newest first. */
export function useDeliveries(id: number) {
  return useServiceQuery(flagsApiRef, ['notice-deliveries', id], (api, call) =>
    api.listDeliveries(id, call),
  );
}
