import { isoOf } from '@slipway/entity-contract';
import { actorOf, preconditionOf, type ServiceApp } from '@slipway/service-kit';
import type { NoticeChannel } from '../model/Notice.ts';
import { given } from '../registers/schemas.ts';
import type { FlagAccess } from '../tokens/access.ts';
import { channelTag, type NoticeChannels } from './NoticeChannels.ts';
import {
  ChannelAnswer,
  ChannelChanges,
  ChannelCreation,
  ChannelList,
  ChannelPath,
  DeliveriesQuery,
  NoticeDeliveries,
  presentNotice,
  TestOutcome,
} from './schemas.ts';

const PATH = '/api/admin/notices';
const tags = ['notices'];

/** Adds `/api/admin/notices`: the channels that get notices, for admins. */
export function noticeRoutes(
  app: ServiceApp,
  { channels, access }: { channels: NoticeChannels; access: FlagAccess },
): void {
  const config = { access: access.write };
  const write = {
    config: { access: access.write, faults: ['conflict'] },
  } as const;

  app.get(
    PATH,
    {
      config,
      schema: {
        tags,
        summary: 'List notice channels, without their addresses',
        response: { 200: ChannelList },
      },
    },
    async () => ({ channels: (await channels.list()).map(present) }),
  );

  app.post(
    PATH,
    {
      ...write,
      schema: {
        tags,
        summary: 'Create a notice channel',
        body: ChannelCreation,
        response: { 201: ChannelAnswer },
      },
    },
    async ({ body, caller }, reply) => {
      const { secret = null, ...settings } = body;
      const created = await channels.create(
        { ...settings, secret },
        actorOf(caller),
      );
      reply
        .code(201)
        .header('location', `${PATH}/${created.id}`)
        .header('etag', channelTag(created));
      return present(created);
    },
  );

  app.get(
    `${PATH}/:id`,
    {
      config,
      schema: {
        tags,
        summary: 'Get a notice channel',
        params: ChannelPath,
        response: { 200: ChannelAnswer },
      },
    },
    async ({ params }, reply) => {
      const channel = await channels.get(params.id);
      reply.header('etag', channelTag(channel));
      return present(channel);
    },
  );

  app.patch(
    `${PATH}/:id`,
    {
      config: {
        access: access.write,
        faults: ['conflict', 'preconditionFailed'],
      },
      schema: {
        tags,
        summary: 'Change the given fields of a notice channel',
        params: ChannelPath,
        headers: preconditionOf('channel'),
        body: ChannelChanges,
        response: { 200: ChannelAnswer },
      },
    },
    async ({ params, body, headers }, reply) => {
      const changed = await channels.update(
        params.id,
        given(body, ChannelChanges),
        headers['if-match'],
      );
      reply.header('etag', channelTag(changed));
      return present(changed);
    },
  );

  app.delete(
    `${PATH}/:id`,
    {
      config,
      schema: {
        tags,
        summary: 'Delete a notice channel and cancel its pending notices',
        params: ChannelPath,
        response: { 204: { type: 'null', description: 'Deleted' } },
      },
    },
    async ({ params }, reply) => {
      await channels.remove(params.id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${PATH}/:id/test`,
    {
      config,
      schema: {
        tags,
        summary: 'Send a test notice',
        params: ChannelPath,
        response: { 200: TestOutcome },
      },
    },
    async ({ params, caller }) => {
      const outcome = await channels.test(params.id, actorOf(caller));
      return { delivered: outcome.error === null, ...outcome };
    },
  );

  app.get(
    `${PATH}/:id/deliveries`,
    {
      config,
      schema: {
        tags,
        summary: 'List the deliveries to a notice channel, newest first',
        params: ChannelPath,
        querystring: DeliveriesQuery,
        response: { 200: NoticeDeliveries },
      },
    },
    async ({ params, query }) => ({
      deliveries: (await channels.deliveries(params.id, query.limit)).map(
        presentNotice,
      ),
    }),
  );
}

function present(channel: NoticeChannel) {
  const { url, secret, createdAt, updatedAt, ...rest } = channel;
  return {
    ...rest,
    projects: [...rest.projects],
    environments: [...rest.environments],
    events: [...rest.events],
    host: new URL(url).host,
    signed: secret !== null,
    createdAt: isoOf(createdAt),
    updatedAt: isoOf(updatedAt),
  };
}
