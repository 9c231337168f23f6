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
    content: {
      type: string;
      version: string;
      body: { type: string; inlines: { type: string; text: string }[] }[];
      actions: { type: string; url: string }[];
    };
  }[];
}

/** A message as people would see it. */
interface Shown {
  lines: string[];
  link: string;
}

/**
 * The incoming webhooks of Slack, Teams and others, which reject what the real ones reject: by
 * `/slack`, `/teams` and `/webhook`.
 */
export class ChatServer {
  readonly slack: Shown[] = [];
  readonly teams: Shown[] = [];
  readonly webhook: Record<string, unknown>[] = [];
  /** What was rejected, and why. */
  readonly rejected: string[] = [];
  /** The statuses of the next responses, instead of acceptance. */
  readonly failures: number[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    const body = await text(request);
    const failure = this.failures.shift();
    if (failure !== undefined) {
      response.writeHead(failure).end();
      return;
    }
    try {
      this.#accept(request.url ?? '', body, request.headers);
      response.writeHead(200).end('ok');
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

function readSlack({ text: fallback, blocks }: SlackBody): Shown {
  assert(fallback.length > 0, 'a fallback text');
  assert(blocks.length > 0 && blocks.length <= 50, 'at most 50 blocks');
  for (const { type, text: content } of blocks) {
    assert(type === 'section' && content.type === 'mrkdwn', 'known blocks');
    assert(content.text.length <= 3_000, 'at most 3,000 characters');
  }
  const texts = blocks.map(each => each.text.text);
  const link = /^<([^|>]+)\|[^<>]+>$/.exec(texts.pop()!);
  assert(link, 'a link in the last block');
  const lines = texts.flatMap(each => each.split('\n'));
  assert(!lines.some(line => /[<>]/.test(line)), 'escaped text');
  return { lines, link: link[1] };
}

function readTeams({ type, attachments }: TeamsBody): Shown {
  const [{ contentType, content }] = attachments;
  assert(type === 'message', 'a message');
  assert(
    contentType === 'application/vnd.microsoft.card.adaptive' &&
      content.type === 'AdaptiveCard' &&
      content.version === '1.4',
    'an Adaptive Card',
  );
  const [action] = content.actions;
  assert(action.type === 'Action.OpenUrl', 'a link');
  return {
    lines: content.body.map(each => {
      assert(each.type === 'RichTextBlock', 'text without Markdown');
      return each.inlines.map(inline => inline.text).join('');
    }),
    link: action.url,
  };
}

function assert(isTrue: unknown, what: string): asserts isTrue {
  if (!isTrue) {
    throw new Error(`Expected ${what}`);
  }
}
