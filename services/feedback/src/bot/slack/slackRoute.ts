import {
  type Access,
  type ServiceApp,
  UnauthenticatedError,
} from '@slipway/service-kit';
import { isValidSlackRequest } from '@slack/bolt';
import { SLACK_PATH, type SlackBot } from './SlackBot.ts';

/** Maximum seconds of a timestamp in the future: Slack's tolerance, which Bolt applies only to the past. */
const FUTURE_SECONDS = 5 * 60;

/**
 * Passes Slack's requests with their raw bodies to Bolt. Verifies signatures first: Bolt does too,
 * but sends the response itself, so that invalid requests would not count against the rate limit.
 */
export async function slackRoute(
  app: ServiceApp,
  options: {
    anyone: Access;
    slack: SlackBot;
    signingSecret: string;
    /** Records that Slack has sent an event with a valid signature. */
    onUse(): void;
    now: () => number;
  },
): Promise<void> {
  const { anyone, slack, signingSecret, onUse, now } = options;
  await app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>(
      '*',
      { parseAs: 'buffer' },
      (_request, body, done) => done(null, body),
    );
    scope.post(
      SLACK_PATH,
      {
        // Slack sends the requests of a whole workspace, so only those with an invalid signature
        // count.
        config: {
          access: anyone,
          limit: 'refusals',
          faults: ['unauthenticated'],
        },
        schema: {
          tags: ['bot'],
          summary: "Receive Slack events, signed with the app's secret",
        },
      },
      async (request, reply) => {
        const { headers, raw } = request;
        const rawBody = Buffer.isBuffer(request.body)
          ? request.body
          : Buffer.alloc(0);
        const sent = Number(headers['x-slack-request-timestamp']);
        if (sent > now() / 1_000 + FUTURE_SECONDS) {
          throw new UnauthenticatedError(
            'The request timestamp is in the future',
          );
        }
        const isSigned = isValidSlackRequest({
          signingSecret,
          body: rawBody.toString(),
          headers: {
            'x-slack-signature': String(headers['x-slack-signature']),
            'x-slack-request-timestamp': sent,
          },
          nowMilliseconds: now(),
        });
        if (!isSigned) {
          throw new UnauthenticatedError('The signature is not valid');
        }
        onUse();
        reply.hijack();
        // Bolt looks for a body that has already been read in `rawBody`.
        slack.receiver.requestListener(
          Object.assign(raw, { rawBody }),
          reply.raw,
        );
      },
    );
  });
}
