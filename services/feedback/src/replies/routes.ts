import { type Caller, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { type FeedbackAccess, userOf } from '../access.ts';
import type { FeedbackDesk } from '../feedback/FeedbackDesk.ts';
import { FeedbackId, FeedbackSubmission } from '../feedback/schemas.ts';
import type { Participant } from './Reply.ts';
import type { ReplyDesk } from './ReplyDesk.ts';
import { presentReply, ReplyAnswer } from './schemas.ts';

/** Body of `POST /api/v1/feedback/{id}/replies`. */
const ReplyDraft = Type.Object({
  message: FeedbackSubmission.properties.message,
  internal: Type.Optional(
    Type.Boolean({
      description:
        'Whether it is a note that only admins can read; the sender is not notified of it.',
    }),
  ),
  idempotency_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description:
        'Identifies the request: sent again by the same user, it returns the same reply.',
    }),
  ),
});

const ReplyId = Type.Object({
  ...FeedbackId.properties,
  reply: Type.String({ minLength: 1, maxLength: 64 }),
});

/** Adds the routes with which senders and admins talk to each other. */
export function replyRoutes(
  app: ServiceApp,
  options: {
    access: FeedbackAccess;
    desk: FeedbackDesk;
    replies: ReplyDesk;
  },
): void {
  const { access, desk, replies } = options;

  async function participantOf(caller: Caller): Promise<Participant> {
    return { id: userOf(caller), isAdmin: await access.isAdmin(caller) };
  }

  app.post(
    '/api/v1/feedback/:id/replies',
    {
      config: { access: access.session, audited: true, faults: ['conflict'] },
      schema: {
        tags: ['feedback'],
        summary: 'Reply to feedback',
        description:
          'For the sender and admins, who can also write internal notes. The sender of anonymous feedback and users of chats cannot be notified: to them, there are no replies.',
        params: FeedbackId,
        body: ReplyDraft,
        response: { 201: ReplyAnswer },
      },
    },
    async ({ body, caller, params }, reply) => {
      const user = await participantOf(caller);
      const feedback = await desk.read(params.id);
      const added = await replies.add(
        feedback,
        {
          message: body.message,
          isInternal: body.internal ?? false,
          idempotencyKey: body.idempotency_key,
        },
        user,
      );
      reply.code(201);
      return presentReply(added, user);
    },
  );

  app.delete(
    '/api/v1/feedback/:id/replies/:reply',
    {
      config: { access: access.session, audited: true },
      schema: {
        tags: ['feedback'],
        summary: 'Delete a reply to feedback',
        description: 'Admins may delete any, senders their own.',
        params: ReplyId,
        response: { 204: { type: 'null', description: 'Deleted' } },
      },
    },
    async ({ caller, params }, reply) => {
      const user = await participantOf(caller);
      const feedback = await desk.read(params.id);
      await replies.delete(feedback, params.reply, user);
      return reply.code(204).send(null);
    },
  );
}
