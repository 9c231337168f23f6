import { InvalidRequestError } from '@slipway/service-kit';
import type { Static } from 'typebox';
import type { Attribution } from '../people/Attribution.ts';
import { NO_TEAM } from '../people/team.ts';
import type { ActivityEvent } from './ActivityEvent.ts';
import { itemReader } from './readItem.ts';
import { ChatItem, EventItem } from './schemas.ts';

const readEventItem = itemReader(EventItem);
const readChatItem = itemReader(ChatItem);

/** The source of whoever names none. */
const DEFAULT_SOURCE = 'api';
const DEFAULT_CHAT = 'chat';

/** Makes events of what is sent, with nobody's name in them. */
export class EventReader {
  readonly #attribution: Attribution;

  constructor(attribution: Attribution) {
    this.#attribution = attribution;
  }

  /** @throws InvalidRequestError naming the field at fault. */
  async event(item: unknown, batchSource?: string): Promise<ActivityEvent> {
    const read = readEventItem(item);
    if (read.kind === 'build' && read.result === undefined) {
      throw new InvalidRequestError('result is required of a build', {
        field: 'result',
        constraint: 'required',
      });
    }
    return {
      source: read.source ?? batchSource ?? DEFAULT_SOURCE,
      id: read.id,
      kind: read.kind,
      ...(await this.#attribute(read)),
      amount: read.count ?? 1,
      people: read.user_id === undefined ? 0 : 1,
      ...(read.kind === 'build' && { result: read.result }),
    };
  }

  /** @throws InvalidRequestError naming the field at fault. */
  async chat(item: unknown, batchSource?: string): Promise<ActivityEvent> {
    const read = readChatItem(item);
    return {
      source: batchSource ?? DEFAULT_CHAT,
      id: read.id,
      kind: 'chat_message',
      ...(await this.#attribute(read)),
      amount: read.messages,
      people: read.user_id === undefined ? (read.people ?? 0) : 1,
    };
  }

  async #attribute(
    read: Pick<Static<typeof EventItem>, 'user_id' | 'team' | 'timestamp'>,
  ): Promise<
    Pick<ActivityEvent, 'personHash' | 'team' | 'occurredAt' | 'day'>
  > {
    const { user_id: userId, team, timestamp } = read;
    return userId === undefined
      ? {
          ...this.#attribution.at(timestamp),
          team: (await this.#attribution.team(team)) ?? NO_TEAM,
        }
      : this.#attribution.named({ user_id: userId, team, timestamp });
  }
}
