import {
  CHAT_KINDS,
  type ChatKind,
  deliveryListOf,
  presentDelivery,
  type WebhookAdminFormat,
  WebhookUrl,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import { NOTICE_EVENTS } from '../model/Notice.ts';
import type { NoticeDelivery } from './NoticeChannels.ts';

const KINDS = [...CHAT_KINDS, 'webhook'] as const;
const MAX_NAMES = 100;

const names = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: MAX_NAMES,
    uniqueItems: true,
    description: `${description}; \`*\` for all.`,
  });

const settings = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '\\S',
    patternDescription: 'must not be blank',
  }),
  kind: Type.Unsafe<ChatKind | 'webhook'>(Type.String({ enum: [...KINDS] })),
  projects: names('Ids of projects'),
  environments: names('Names of environments'),
  events: Type.Array(Type.String({ enum: ['*', ...NOTICE_EVENTS] }), {
    minItems: 1,
    maxItems: NOTICE_EVENTS.length + 1,
    uniqueItems: true,
  }),
  enabled: Type.Boolean(),
};

const Secret = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  minLength: 16,
  maxLength: 256,
  description: 'Key of the signature of a webhook; never returned.',
});

export const ChannelCreation = Type.Object({
  name: settings.name,
  kind: settings.kind,
  url: WebhookUrl,
  secret: Type.Optional(Secret),
  projects: Type.Array(settings.projects.items, {
    ...settings.projects,
    default: ['*'],
  }),
  environments: Type.Array(settings.environments.items, {
    ...settings.environments,
    default: ['*'],
  }),
  events: Type.Array(settings.events.items, {
    ...settings.events,
    default: ['*'],
  }),
  enabled: Type.Boolean({ default: true }),
});

export const ChannelChanges = Type.Partial(
  Type.Object({ ...settings, url: WebhookUrl, secret: Secret }),
);

export const ChannelAnswer = Type.Object({
  id: Type.Integer(),
  revision: Type.Integer({
    description: 'Counts its changes; in quotes, it is the ETag.',
  }),
  ...settings,
  host: Type.String({
    description: 'The host of the address, which is not returned.',
  }),
  signed: Type.Boolean(),
  createdBy: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
});

export const ChannelList = Type.Object({
  channels: Type.Array(ChannelAnswer),
});

export const ChannelPath = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const TestOutcome = Type.Object({
  delivered: Type.Boolean(),
  status: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The HTTP status of the response; null if there was none.',
  }),
  error: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
});

const DELIVERY_FORMAT: WebhookAdminFormat = {
  names: 'camelCase',
  listsConfigured: false,
  showsPayload: false,
  removed: 200,
};

export const DeliveriesQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
});

const { deliveries } = deliveryListOf(DELIVERY_FORMAT).properties;

export const NoticeDeliveries = Type.Object({
  deliveries: Type.Array(
    Type.Object({ ...deliveries.items.properties, text: Type.String() }),
  ),
});

/** Presents a delivery with the sentence that was sent. */
export function presentNotice({ delivery, notice }: NoticeDelivery) {
  return {
    ...presentDelivery(delivery, DELIVERY_FORMAT),
    event: notice.events[0],
    text: notice.text,
  };
}
