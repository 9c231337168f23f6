import {
  assertMatches,
  type AttemptOutcome,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  type Outbox,
  type WebhookDelivery,
} from '@slipway/service-kit';
import type { Notice, NoticeChannel } from '../model/Notice.ts';
import type { NoticeChannelStore } from '../storage/NoticeChannelStore.ts';
import { endpointId, endpointOf, NOTICE } from './channelEndpoint.ts';
import { nameOf } from './words.ts';

/** The settings of a channel. */
export type ChannelSettings = Pick<
  NoticeChannel,
  | 'name'
  | 'kind'
  | 'url'
  | 'secret'
  | 'projects'
  | 'environments'
  | 'events'
  | 'enabled'
>;

/** Returns the entity tag of a channel. */
export function channelTag({ revision }: NoticeChannel): string {
  return `"${revision}"`;
}

/** A delivery to a channel, with the notice that it carries. */
export interface NoticeDelivery {
  readonly delivery: WebhookDelivery;
  readonly notice: Notice;
}

interface ChannelOptions {
  channels: NoticeChannelStore;
  outbox: Outbox;
  appUrl: string;
  projectIds: () => Promise<readonly string[]>;
  environmentNames: () => Promise<readonly string[]>;
  now: () => number;
}

/** Manages the channels that get notices. */
export class NoticeChannels {
  readonly #options: ChannelOptions;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  list(): Promise<NoticeChannel[]> {
    return this.#options.channels.list();
  }

  /** Returns a channel. @throws NotFoundError */
  async get(id: number): Promise<NoticeChannel> {
    return (await this.#options.channels.find(id)) ?? fail();
  }

  /** Creates a channel. @throws InvalidRequestError naming the field; ConflictError if the name is taken. */
  async create(settings: ChannelSettings, by: string): Promise<NoticeChannel> {
    await this.#check(settings);
    const now = this.#options.now();
    const created = await this.#options.channels.insert({
      ...settings,
      createdBy: by,
      createdAt: now,
      updatedAt: now,
    });
    return created ?? refuseName(settings.name);
  }

  /**
   * Changes the given settings.
   *
   * @param ifMatch - the entity tag that the channel must have, as in `If-Match`.
   * @throws NotFoundError, InvalidRequestError, ConflictError, PreconditionFailedError
   */
  async update(
    id: number,
    changes: Partial<ChannelSettings>,
    ifMatch?: string,
  ): Promise<NoticeChannel> {
    const before = await this.get(id);
    assertMatches(ifMatch, {
      tags: [channelTag(before)],
      what: `Channel ${before.name}`,
    });
    const after = { ...before, ...changes, updatedAt: this.#options.now() };
    await this.#check(after);
    switch (await this.#options.channels.update(after)) {
      case 'taken':
        return refuseName(after.name);
      case 'changed':
        // Another edit came first: check this one against its result, then apply it to that.
        return this.update(id, changes, ifMatch);
      default:
        return { ...after, revision: after.revision + 1 };
    }
  }

  /** Deletes a channel. @throws NotFoundError */
  async remove(id: number): Promise<void> {
    if (!(await this.#options.channels.remove(id))) {
      fail();
    }
  }

  /** Sends a test notice once, even to a disabled channel. @throws NotFoundError */
  async test(id: number, by: string): Promise<AttemptOutcome> {
    const { outbox, appUrl, now } = this.#options;
    const channel = await this.get(id);
    const notice: Notice = {
      events: ['flag-switched'],
      flag: null,
      projects: [],
      environments: [],
      by,
      at: now(),
      text: `This is a test notice for ${channel.name}, sent by ${nameOf(by)}`,
      details: ['Notices of changes to feature flags appear here'],
    };
    return outbox.sendOnce(endpointOf(channel, appUrl), {
      name: NOTICE,
      payload: notice,
    });
  }

  /** Lists the deliveries to a channel, newest first. @throws NotFoundError */
  async deliveries(id: number, limit: number): Promise<NoticeDelivery[]> {
    const channel = await this.get(id);
    const found = await this.#options.outbox.deliveries({
      limit,
      endpointId: endpointId(channel),
    });
    return found.map(delivery => ({
      delivery,
      notice: JSON.parse(delivery.payload) as Notice,
    }));
  }

  async #check(settings: ChannelSettings): Promise<void> {
    const { outbox, projectIds, environmentNames } = this.#options;
    outbox.endpoints.assertAllowed(settings.url);
    if (settings.secret !== null && settings.kind !== 'webhook') {
      refuse('secret', 'is for webhooks only');
    }
    assertKnown('projects', settings.projects, await projectIds());
    assertKnown(
      'environments',
      settings.environments,
      await environmentNames(),
    );
  }
}

function assertKnown(
  field: string,
  names: readonly string[],
  known: readonly string[],
): void {
  const index = names.findIndex(name => name !== '*' && !known.includes(name));
  if (index !== -1) {
    refuse(`${field}.${index}`, `must be one of ${['*', ...known].join(', ')}`);
  }
}

function refuse(field: string, words: string): never {
  throw new InvalidRequestError(`${field} ${words}`, {
    field,
    constraint: 'enum',
  });
}

function refuseName(name: string): never {
  throw new ConflictError(`A channel with the name ${name} exists`, {
    field: 'name',
    constraint: 'unique',
  });
}

function fail(): never {
  throw new NotFoundError('Channel not found');
}
