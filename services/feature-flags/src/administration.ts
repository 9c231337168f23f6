import {
  type Administration,
  isoOf,
  type Token,
  type Webhook,
} from '@slipway/entity-contract';
import {
  CHAT_TITLES,
  outgoingWebhook,
  type Outbox,
} from '@slipway/service-kit';
import type { ApiToken } from './model/ApiToken.ts';
import type { NoticeChannel } from './model/Notice.ts';
import { endpointId } from './notices/channelEndpoint.ts';
import type { NoticeChannels } from './notices/NoticeChannels.ts';
import type { TokenAdmin } from './tokens/TokenAdmin.ts';

/** Reports who may change flags, the tokens of the service, and the channels of its notices. */
export async function reportFlags(parts: {
  admins: readonly string[];
  tokens: Pick<TokenAdmin, 'list'>;
  channels: Pick<NoticeChannels, 'list'>;
  outbox: Outbox;
}): Promise<Administration> {
  const { admins, outbox } = parts;
  const [tokens, channels] = await Promise.all([
    parts.tokens.list(),
    parts.channels.list(),
  ]);
  return {
    roles: [
      {
        name: 'Admins',
        groups: [...admins],
        may: [
          'Change all flags, projects, segments and environments',
          'Manage tokens, webhooks and notices',
        ],
        key: 'featureFlags.admins',
      },
      {
        name: 'Owners of a project',
        groups: [],
        may: ['Change the flags of the project', 'Review its change requests'],
      },
      {
        name: 'Every signed-in user',
        groups: [],
        may: ['Read all flags, projects and environments'],
      },
      {
        name: 'Admin tokens',
        groups: [],
        may: ['Everything that admins may'],
      },
      {
        name: 'Client and frontend tokens',
        groups: [],
        may: ['Read the flags of their projects in their environment'],
      },
    ],
    tokens: tokens.map(presentToken),
    webhooks: await Promise.all(
      channels.map(channel => presentChannel(channel, outbox)),
    ),
  };
}

function presentToken(token: ApiToken): Token {
  const { id, name, type, projects, environment, createdBy } = token;
  const configured = token.createdAt === 0;
  return {
    id,
    name,
    kind: `${type}-token`,
    scopes: [
      ...(projects.includes('*') ? [] : projects),
      ...(environment === '*' ? [] : [environment]),
    ],
    configured,
    createdAt: configured ? null : isoOf(token.createdAt),
    createdBy: configured ? null : createdBy,
    lastUsedAt: isoOf(token.lastUsedAt),
    expiresAt: isoOf(token.expiresAt),
    page: '/flags/api-access',
    ...(!configured && { remove: `/api/admin/api-tokens/${id}` }),
  };
}

function presentChannel(
  channel: NoticeChannel,
  outbox: Outbox,
): Promise<Webhook> {
  const { id, name, kind, url, secret, events, enabled } = channel;
  const path = `/api/admin/notices/${id}`;
  return outgoingWebhook(
    outbox,
    {
      id: endpointId(channel),
      url,
      kind: kind === 'webhook' ? 'Webhook' : CHAT_TITLES[kind],
      ...(secret !== null && { secret }),
      events: [...events],
    },
    {
      name,
      configured: false,
      paused: !enabled,
      page: '/flags/notices',
      test: `${path}/test`,
      remove: path,
    },
  );
}
