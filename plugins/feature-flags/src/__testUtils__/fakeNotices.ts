import type {
  ChannelSettings,
  NoticeCalls,
  NoticeChannel,
  NoticeDelivery,
  TestOutcome,
} from '../api/notices';
import { type FakeState, refusalOf } from './FakeState';

/** Calls of the fake service, on its state. */
export function fakeNotices(state: FakeState): NoticeCalls {
  return {
    async listChannels(): Promise<NoticeChannel[]> {
      return state.respond('listChannels', state.channels);
    },

    async createChannel(settings: ChannelSettings): Promise<NoticeChannel> {
      const { url = '', secret, ...rest } = settings;
      const made = {
        ...rest,
        id: state.channels.length + 1,
        revision: 1,
        host: new URL(url).host,
        signed: secret !== undefined,
      };
      state.channels = [
        ...state.channels,
        state.respond('createChannel', made),
      ];
      return made;
    },

    async updateChannel(
      id: number,
      { url: _url, secret: _secret, ...changes }: Partial<ChannelSettings>,
      revision?: number,
    ): Promise<NoticeChannel> {
      state.respond('updateChannel', undefined);
      const before = state.channels.find(each => each.id === id)!;
      if (revision !== undefined && revision !== before.revision) {
        throw await refusalOf({ status: 412, message: 'Channel has changed' });
      }
      state.channels = state.channels.map(each =>
        each === before
          ? { ...each, ...changes, revision: each.revision + 1 }
          : each,
      );
      return state.channels.find(each => each.id === id)!;
    },

    async deleteChannel(id: number): Promise<void> {
      state.respond('deleteChannel', undefined);
      state.channels = state.channels.filter(each => each.id !== id);
    },

    async testChannel(): Promise<TestOutcome> {
      return state.respond('testChannel', state.testOutcome);
    },

    async listDeliveries(): Promise<NoticeDelivery[]> {
      return state.respond('listDeliveries', state.deliveries);
    },
  };
}
