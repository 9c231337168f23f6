/** A post that is addressed to the bot. */
export interface MattermostPost {
  readonly id: string;
  readonly channelId: string;
  /** The id of the post that starts the thread, which may be this one. */
  readonly threadId: string;
  readonly userId: string;
  readonly userName: string | null;
  /** Without the mention. */
  readonly text: string;
}

interface PostJson {
  id?: unknown;
  channel_id?: unknown;
  root_id?: unknown;
  user_id?: unknown;
  message?: unknown;
  type?: unknown;
  props?: { from_bot?: unknown; from_webhook?: unknown };
}

/**
 * Reads a message of the WebSocket. `posted` events contain the post and the ids of mentioned users
 * as JSON strings.
 *
 * @returns undefined for posts that no person addressed to the bot: its own posts, those of bots
 *   and webhooks, system messages, and posts in channels that do not mention it.
 */
export function readPosted(
  message: unknown,
  me: { id: string; name: string },
): MattermostPost | undefined {
  const { event, data = {} } = message as {
    event?: unknown;
    data?: Record<string, unknown>;
  };
  const post = event === 'posted' ? parse<PostJson>(data.post) : undefined;
  if (
    typeof post?.id !== 'string' ||
    typeof post.channel_id !== 'string' ||
    typeof post.user_id !== 'string' ||
    typeof post.message !== 'string'
  ) {
    return undefined;
  }
  const isForeign = post.props?.from_bot || post.props?.from_webhook;
  const mentions = parse<unknown>(data.mentions);
  const isForUs =
    data.channel_type === 'D' ||
    (Array.isArray(mentions) && mentions.includes(me.id));
  if (post.user_id === me.id || post.type || isForeign || !isForUs) {
    return undefined;
  }
  return {
    id: post.id,
    channelId: post.channel_id,
    threadId:
      typeof post.root_id === 'string' && post.root_id ? post.root_id : post.id,
    userId: post.user_id,
    userName:
      typeof data.sender_name === 'string'
        ? data.sender_name.replace(/^@/, '')
        : null,
    text: withoutMention(post.message, me.name),
  };
}

function withoutMention(message: string, name: string): string {
  const mention = `@${name.toLowerCase()}`;
  const text = message.trim();
  const lower = text.toLowerCase();
  if (
    lower.startsWith(mention) &&
    !/^[\w.-]/.test(text.slice(mention.length))
  ) {
    return text
      .slice(mention.length)
      .replace(/^\s*:\s/, '')
      .trim();
  }
  return lower.endsWith(` ${mention}`)
    ? text.slice(0, -mention.length).trim()
    : text;
}

function parse<T>(text: unknown): T | undefined {
  if (typeof text !== 'string') {
    return undefined;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
