import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FeedbackAccess } from '../access.ts';
import type { Profiles } from '../people/profiles.ts';
import type { FeedbackBot } from './FeedbackBot.ts';

const MessageBody = Type.Object({
  text: Type.String({ maxLength: 40_000 }),
  event_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Id of the message, which is answered only once.',
    }),
  ),
  user: Type.Optional(
    Type.Object(
      {
        id: Type.String({ minLength: 1, maxLength: 128 }),
        name: Type.Optional(Type.String({ maxLength: 256 })),
      },
      {
        description:
          'The author, if the caller is an integration with an API key.',
      },
    ),
  ),
});

const MessageAnswer = Type.Object({
  reply: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Null if this message has already been answered.',
  }),
});

/** Adds the HTTP routes of the bot: for the terminal, and for chats without an adapter. */
export function botRoutes(
  app: ServiceApp,
  options: { access: FeedbackAccess; bot: FeedbackBot; profiles: Profiles },
): void {
  const { access, bot, profiles } = options;
  app.post(
    '/api/v1/bot/messages',
    {
      config: { access: access.chat },
      schema: {
        tags: ['bot'],
        summary: 'Send a message to the bot',
        body: MessageBody,
        response: { 200: MessageAnswer },
      },
    },
    async ({ body, caller }) => {
      const { text, event_id, user } = body;
      const isUser = caller.kind === 'user';
      const by = isUser || !('id' in caller) ? '' : caller.id;
      let answer: string | null = null;
      await bot.handle(
        {
          platform: 'chat',
          ...(event_id !== undefined && {
            key: `${isUser ? caller.id : by}:${event_id}`,
          }),
          text,
          author: isUser ? caller.id : `chat:${by}:${user?.id ?? ''}`,
          authorName: isUser
            ? (await profiles.of(caller.id)).name
            : (user?.name ?? null),
        },
        async reply => {
          answer = reply;
        },
      );
      return { reply: answer };
    },
  );
}
