import { shortened } from '@slipway/entity-contract';

/** The chats that {@link chatPayload} can write to, each through an incoming webhook. */
export const CHAT_KINDS = ['slack', 'mattermost', 'teams'] as const;
export type ChatKind = (typeof CHAT_KINDS)[number];

/** The names of the chats. */
export const CHAT_TITLES: Readonly<Record<ChatKind, string>> = {
  slack: 'Slack',
  mattermost: 'Mattermost',
  teams: 'Microsoft Teams',
};

/** A message without markup. Its texts may come from anyone, so they are escaped for each chat. */
export interface ChatMessage {
  /** One sentence. */
  readonly text: string;
  /** Short lines below it. */
  readonly details?: readonly string[];
  readonly link: { readonly title: string; readonly url: string };
}

/**
 * Maximum characters of a text. Within the 3,000 characters of a Slack block even if every
 * character is escaped.
 */
const MAX_TEXT = 500;
const MAX_DETAILS = 20;
const MAX_DETAIL = 300;

/**
 * Returns the body that a chat's incoming webhook expects: Slack's blocks, Mattermost's Markdown,
 * or an Adaptive Card for the Workflows of Microsoft Teams. No text in it can mention people
 * or imitate links.
 */
export function chatPayload(
  kind: ChatKind,
  { text, details = [], link }: ChatMessage,
): object {
  const message = {
    text: oneLine(text, MAX_TEXT),
    details: details
      .slice(0, MAX_DETAILS)
      .map(detail => oneLine(detail, MAX_DETAIL)),
    link,
  };
  switch (kind) {
    case 'slack':
      return slackPayload(message);
    case 'mattermost':
      return mattermostPayload(message);
    default:
      return teamsPayload(message);
  }
}

type CleanMessage = Required<ChatMessage>;

/** @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
function slackPayload({ text, details, link }: CleanMessage): object {
  const section = (lines: readonly string[]) => ({
    type: 'section',
    // Verbatim, so that channel names and addresses in the text do not become links.
    text: { type: 'mrkdwn', text: lines.join('\n'), verbatim: true },
  });
  const url = escapeSlack(link.url).replaceAll('|', '%7C');
  return {
    // For notifications, and for clients that show no blocks.
    text: `${escapeSlack(text)}\n${escapeSlack(link.url)}`,
    blocks: [
      section([escapeSlack(text)]),
      ...(details.length > 0
        ? [section(joinWithin(details.map(each => `• ${escapeSlack(each)}`)))]
        : []),
      section([`<${url}|${escapeSlack(link.title)}>`]),
    ],
  };
}

/** Maximum characters of the text of one block. */
const MAX_BLOCK = 2_900;

/** Joins as many of the first lines as fit into a block. */
function joinWithin(lines: readonly string[]): string[] {
  let length = 0;
  return lines.filter(line => {
    length += line.length + 1;
    return length <= MAX_BLOCK;
  });
}

function escapeSlack(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function mattermostPayload({ text, details, link }: CleanMessage): object {
  const lines = [text, ...details.map(each => `- ${each}`)];
  return { text: [...lines.map(plainMarkdown), link.url].join('\n') };
}

function plainMarkdown(text: string): string {
  return text.replaceAll('@', '@\u200b').replace(/[[\]!`]/g, ' ');
}

/**
 * Builds the Adaptive Card for Teams, with text runs, because Teams parses Markdown in text blocks.
 *
 * @see https://learn.microsoft.com/connectors/teams/#microsoft-teams-webhook
 */
function teamsPayload({ text, details, link }: CleanMessage): object {
  const line = (words: string, isTitle: boolean) => ({
    type: 'RichTextBlock',
    inlines: [
      {
        type: 'TextRun',
        text: words,
        ...(isTitle && { weight: 'Bolder' }),
      },
    ],
    ...(!isTitle && { spacing: 'Small' }),
  });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            line(text, true),
            ...details.map(detail => line(`• ${detail}`, false)),
          ],
          actions: [
            { type: 'Action.OpenUrl', title: link.title, url: link.url },
          ],
          msteams: { width: 'Full' },
        },
      },
    ],
  };
}

function oneLine(text: string, limit: number): string {
  return shortened(text.replace(/[\s\p{Cc}]+/gu, ' ').trim(), limit);
}
