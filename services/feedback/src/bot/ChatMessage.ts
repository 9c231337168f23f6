import type { Source } from '../feedback/Feedback.ts';

/** A message to the bot: a mention in a channel, or one that was sent to it directly. */
export interface ChatMessage {
  readonly platform: Exclude<Source, 'api'>;
  /** Of the message within the platform: when it comes again, it is the same one. */
  readonly key: string;
  /** Without the mention and the markup of the platform. */
  readonly text: string;
  /** Who wrote it: an entity reference, or `<platform>:<team>:<user>`. */
  readonly author: string;
  readonly authorName: string | null;
}

/** Puts an answer into the thread of the message. */
export type Reply = (text: string) => Promise<void>;
