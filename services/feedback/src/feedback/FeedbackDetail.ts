import { isoOf } from '@slipway/entity-contract';
import { type Static, Type } from 'typebox';
import {
  isSender,
  mayReply,
  type Participant,
  type Reply,
} from '../replies/Reply.ts';
import { presentReply, ReplyAnswer } from '../replies/schemas.ts';
import { presentNote, PublicNoteAnswer } from '../votes/schemas.ts';
import type { Feedback, StatusChange } from './Feedback.ts';
import { FeedbackAnswer, presentFeedback, StatusName } from './schemas.ts';

/** A record with its thread and its history. */
export const FeedbackDetail = Type.Object({
  ...FeedbackAnswer.properties,
  history: Type.Optional(
    Type.Array(
      Type.Object({
        at: Type.String({ format: 'date-time' }),
        actor: Type.Optional(
          Type.String({ description: 'Only for admins, like `notes`.' }),
        ),
        from: StatusName,
        to: StatusName,
        notes: Type.Optional(Type.String()),
      }),
      {
        description:
          'For the sender and admins: the changes of status, oldest first. Admins also get notes that were written without a change.',
      },
    ),
  ),
  replies: Type.Optional(
    Type.Array(ReplyAnswer, {
      description:
        'For the sender and admins: replies, oldest first, with internal notes for admins; only if there are any.',
    }),
  ),
  may_reply: Type.Optional(
    Type.Boolean({
      description: 'True if the caller may reply; otherwise not included.',
    }),
  ),
  is_own: Type.Optional(
    Type.Boolean({
      description: 'True if the caller sent it; otherwise not included.',
    }),
  ),
  merged_title: Type.Optional(
    Type.String({
      description:
        'The title of the record that it is a duplicate of, while that is open for voting; once it is closed, only for admins.',
    }),
  ),
  voting: Type.Optional(
    Type.Object(
      {
        title: Type.Optional(
          Type.String({ description: 'Once it is closed, only for admins.' }),
        ),
        public_note: Type.Optional(PublicNoteAnswer),
        open: Type.Boolean({
          description:
            'False if it was closed for voting. Nobody can vote for what is resolved, archived or merged either.',
        }),
      },
      { description: 'Only if it has been opened for voting.' },
    ),
  ),
});

/** Presents the changes of status to the sender, without authors and notes. */
function presentProgress(history: readonly StatusChange[]) {
  return history
    .filter(({ from, to }) => from !== to)
    .map(({ at, from, to }) => ({ at: isoOf(at), from, to }));
}

/** Presents a record with the details that its reader may see. */
export function presentDetail(
  feedback: Feedback,
  options: {
    /** Undefined without a session. */
    reader: Participant | undefined;
    replies: readonly Reply[];
    /** Undefined for readers who are neither admins nor the sender. */
    history: readonly StatusChange[] | undefined;
    /** The record that this one was merged into; undefined if it is not a duplicate. */
    target: Feedback | undefined;
  },
): Static<typeof FeedbackDetail> {
  const { reader, replies, history, target } = options;
  const { voting } = feedback;
  return {
    ...presentFeedback(feedback),
    ...(history && {
      history: reader?.isAdmin
        ? history.map(change => ({ ...change, at: isoOf(change.at) }))
        : presentProgress(history),
    }),
    ...(replies.length > 0 && {
      replies: replies.map(reply => presentReply(reply, reader)),
    }),
    ...(reader && mayReply(reader, feedback) && { may_reply: true }),
    ...(reader && isSender(reader, feedback) && { is_own: true }),
    ...(target?.voting &&
      reader &&
      (target.voting.isOpen || reader.isAdmin) && {
        merged_title: target.voting.title,
      }),
    ...(voting && {
      voting: {
        ...((voting.isOpen || reader?.isAdmin) && {
          title: voting.title,
          ...(voting.note && { public_note: presentNote(voting.note) }),
        }),
        open: voting.isOpen,
      },
    }),
  };
}
