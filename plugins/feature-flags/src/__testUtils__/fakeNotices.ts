import type {
  ChannelSettings,
  NoticeCalls,
  NoticeChannel,
  NoticeDelivery,
  TestOutcome,
} from '../api/notices';
import type { FakeState } from './FakeState';

/** Answers calls from what a fake service holds. */
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
    ): Promise<NoticeChannel> {
      state.respond('updateChannel', undefined);
      state.channels = state.channels.map(each =>
        each.id === id ? { ...each, ...changes } : each,
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
