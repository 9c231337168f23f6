import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The key with which webhooks to a {@link ChatServer} are signed. */
export const CHAT_SECRET = 'a-secret-of-the-receiver';

interface SlackBody {
  text: string;
  blocks: { type: string; text: { type: string; text: string } }[];
}

interface TeamsBody {
  type: string;
  attachments: {
    contentType: string;
    contentUrl: null;
    content: {
      type: string;
      version: string;
      body: { type: string; inlines: { type: string; text: string }[] }[];
      actions: { type: string; title: string; url: string }[];
    };
  }[];
}

/** A message as people would see it. */
interface Shown {
  lines: string[];
  link: string;
}

/**
 * A server with incoming webhooks of Slack, Teams and others at `/slack`, `/teams` and `/webhook`,
 * which reject what the real ones reject.
 */
export class ChatServer {
  readonly slack: Shown[] = [];
  readonly teams: Shown[] = [];
  readonly webhook: Record<string, unknown>[] = [];
  /** The reasons why messages were rejected. */
  readonly rejected: string[] = [];
  /** The error statuses of the next responses. */
  readonly failures: number[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    const body = await text(request);
    const failure = this.failures.shift();
    if (failure !== undefined) {
      response.writeHead(failure).end();
      return;
    }
    try {
      const path = request.url ?? '';
      this.#accept(path, body, request.headers);
      // The responses of Slack and of a workflow's trigger.
      const isTeams = path.startsWith('/teams');
      response.writeHead(isTeams ? 202 : 200).end(isTeams ? '' : 'ok');
    } catch (error) {
      this.rejected.push(`${error}: ${body}`);
      response.writeHead(400).end('invalid_payload');
    }
  });

  async start(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #accept(
    path: string,
    body: string,
    headers: NodeJS.Dict<string | string[]>,
  ): void {
    const parsed: unknown = JSON.parse(body);
    assert(headers['content-type'] === 'application/json', 'content type');
    if (path.startsWith('/slack')) {
      this.slack.push(readSlack(parsed as SlackBody));
    } else if (path.startsWith('/teams')) {
      assert(body.length < 28_000, 'at most 28 KB');
      this.teams.push(readTeams(parsed as TeamsBody));
    } else {
      const digest = createHmac('sha256', CHAT_SECRET).update(body);
      assert(
        headers['x-slipway-signature-256'] === `sha256=${digest.digest('hex')}`,
        'signature',
      );
      this.webhook.push(parsed as Record<string, unknown>);
    }
  }
}

/** Parses a message, and checks it against Slack's documentation of incoming webhooks and blocks. */
function readSlack(body: SlackBody): Shown {
  assertKeys(body, ['text', 'blocks']);
  const { text: fallback, blocks } = body;
  assert(
    fallback.length > 0 && fallback.length <= 40_000,
    'a fallback text of at most 40,000 characters',
  );
  assert(blocks.length > 0 && blocks.length <= 50, 'at most 50 blocks');
  for (const block of blocks) {
    const { type, text: content } = block;
    assertKeys(block, ['type', 'text']);
    assertKeys(content, ['type', 'text', 'verbatim']);
    assert(type === 'section' && content.type === 'mrkdwn', 'known blocks');
    assert(
      content.text.length > 0 && content.text.length <= 3_000,
      'at most 3,000 characters',
    );
    assert(!/&(?!(?:amp|lt|gt);)/.test(content.text), 'escaped ampersands');
  }
  const texts = blocks.map(each => each.text.text);
  const link = /^<([^|>]+)\|[^<>]+>$/.exec(texts.pop()!);
  assert(link, 'a link in the last block');
  const lines = texts.flatMap(each => each.split('\n'));
  assert(!lines.some(line => /[<>]/.test(line)), 'escaped text');
  return { lines, link: link[1] };
}

/** Parses a message as the trigger "When a Teams webhook request is received" documents it. */
function readTeams(body: TeamsBody): Shown {
  assertKeys(body, ['type', 'attachments']);
  const [attachment] = body.attachments;
  const { contentType, contentUrl, content } = attachment;
  assert(body.type === 'message', 'a message');
  assert(body.attachments.length === 1, 'one card');
  assertKeys(attachment, ['contentType', 'contentUrl', 'content']);
  assert(contentUrl === null, 'no address of the content');
  assertKeys(content, [
    '$schema',
    'type',
    'version',
    'body',
    'actions',
    'msteams',
  ]);
  assert(
    contentType === 'application/vnd.microsoft.card.adaptive' &&
      content.type === 'AdaptiveCard' &&
      content.version === '1.4',
    'an Adaptive Card',
  );
  const [action] = content.actions;
  assertKeys(action, ['type', 'title', 'url']);
  assert(
    action.type === 'Action.OpenUrl' &&
      action.title &&
      URL.canParse(action.url),
    'a link',
  );
  return {
    lines: content.body.map(each => {
      assertKeys(each, ['type', 'inlines', 'spacing']);
      assert(each.type === 'RichTextBlock', 'text without Markdown');
      for (const inline of each.inlines) {
        assertKeys(inline, ['type', 'text', 'weight']);
        assert(inline.type === 'TextRun' && inline.text, 'runs of text');
      }
      return each.inlines.map(inline => inline.text).join('');
    }),
    link: action.url,
  };
}

/** Rejects fields that the documented format lacks. */
function assertKeys(object: object, known: readonly string[]): void {
  const unknown = Object.keys(object).filter(key => !known.includes(key));
  assert(unknown.length === 0, `no ${unknown.join(', ')}`);
}

function assert(isTrue: unknown, what: string): asserts isTrue {
  if (!isTrue) {
    throw new Error(`Expected ${what}`);
  }
}
