import type { Outbox } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { ChangeRequest } from '../model/ChangeRequest.ts';
import { type Notice, type NoticeChannel, wants } from '../model/Notice.ts';
import type { Schedule } from '../model/Schedule.ts';
import { endpointOf, NOTICE } from '../notices/channelEndpoint.ts';
import { noticeOfChange, noticeOfImport } from '../notices/noticeOfChange.ts';
import { noticeOfRequest, noticeOfSchedule } from '../notices/noticeOfPlan.ts';
import type { FlagChange } from './FlagStore.ts';
import type { NoticeChannelStore } from './NoticeChannelStore.ts';

/** An event of a change request or schedule, and who caused it. */
interface Happening {
  readonly what: string;
  readonly by: string;
}

interface NoticeOutboxOptions {
  outbox: Outbox;
  channels: NoticeChannelStore;
  /** The URL of the portal's pages. */
  appUrl: string;
}

/** Enqueues notices for the channels whose filters match, in the transactions of the changes. */
export class NoticeOutbox {
  readonly #options: NoticeOutboxOptions;

  constructor(options: NoticeOutboxOptions) {
    this.#options = options;
    const { outbox, channels, appUrl } = options;
    outbox.endpoints.addSource(async trx =>
      (await channels.list(trx)).map(each => endpointOf(each, appUrl)),
    );
  }

  tellChange(trx: Knex.Transaction, change: FlagChange): Promise<void> {
    return this.#enqueue(trx, () => noticeOfChange(change));
  }

  /** Enqueues one notice per channel, about the changes that match the channel's filters. */
  tellImport(
    trx: Knex.Transaction,
    changes: readonly FlagChange[],
  ): Promise<void> {
    return this.#enqueue(trx, channel => {
      const own = changes.filter(each =>
        wants(channel, noticeOfImport([each])),
      );
      return own.length > 0 ? noticeOfImport(own) : undefined;
    });
  }

  async tellRequest(
    trx: Knex.Transaction,
    request: ChangeRequest,
    happening: Happening,
  ): Promise<void> {
    const project = await projectOf(trx, request.flag);
    await this.#enqueue(trx, () =>
      noticeOfRequest(request, { ...happening, project }),
    );
  }

  async tellSchedule(
    trx: Knex.Transaction,
    schedule: Schedule,
    happening: Happening,
  ): Promise<void> {
    const project = await projectOf(trx, schedule.flag);
    await this.#enqueue(trx, () =>
      noticeOfSchedule(schedule, { ...happening, project }),
    );
  }

  async #enqueue(
    trx: Knex.Transaction,
    noticeFor: (channel: NoticeChannel) => Notice | undefined,
  ): Promise<void> {
    const { outbox, channels, appUrl } = this.#options;
    for (const channel of await channels.list(trx)) {
      const notice = noticeFor(channel);
      if (notice && wants(channel, notice)) {
        await outbox.enqueue(trx, {
          name: NOTICE,
          payload: notice,
          to: [endpointOf(channel, appUrl).id],
        });
      }
    }
  }
}

async function projectOf(trx: Knex.Transaction, flag: string): Promise<string> {
  const row = await trx<{ name: string; project: string }>('flags')
    .where({ name: flag })
    .first('project');
  return row?.project ?? '';
}
