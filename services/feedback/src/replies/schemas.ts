import { isoOf } from '@slipway/entity-contract';
import { type Static, Type } from 'typebox';
import { mayDelete, type Participant, type Reply } from './Reply.ts';

export const ReplyAnswer = Type.Object({
  id: Type.String(),
  message: Type.String(),
  internal: Type.Boolean({
    description: 'Whether it is a note that only admins can read.',
  }),
  author: Type.Object({
    name: Type.String(),
    is_sender: Type.Boolean({
      description: 'Whether the sender of the feedback wrote it.',
    }),
  }),
  created_at: Type.String({ format: 'date-time' }),
  may_delete: Type.Boolean({
    description: 'Whether the caller may delete it.',
  }),
});

/** Presents a reply to a reader, who is undefined without a session. */
export function presentReply(
  reply: Reply,
  reader: Participant | undefined,
): Static<typeof ReplyAnswer> {
  return {
    id: reply.id,
    message: reply.message,
    internal: reply.isInternal,
    author: { name: reply.authorName, is_sender: reply.isFromSender },
    created_at: isoOf(reply.createdAt),
    may_delete: reader !== undefined && mayDelete(reader, reply),
  };
}
