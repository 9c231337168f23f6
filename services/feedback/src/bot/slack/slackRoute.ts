import {
  type Access,
  type ServiceApp,
  UnauthenticatedError,
} from '@slipway/service-kit';
import { SLACK_PATH, type SlackBot } from './SlackBot.ts';

/** Slack's own tolerance, which Bolt keeps for the past alone. */
const FUTURE_SECONDS = 5 * 60;

/** Hands Slack's requests to Bolt, which wants their bodies untouched to check the signature. */
export async function slackRoute(
  app: ServiceApp,
  options: { anyone: Access; slack: SlackBot; now: () => number },
): Promise<void> {
  const { anyone, slack, now } = options;
  await app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.post(
      SLACK_PATH,
      {
        // Slack calls for a whole workspace; the signature says that it does.
        config: { access: anyone, limit: false, faults: ['unauthenticated'] },
        schema: {
          tags: ['bot'],
          summary: "Events of Slack, signed with the app's secret",
        },
      },
      async (request, reply) => {
        const sent = Number(request.headers['x-slack-request-timestamp']);
        if (sent > now() / 1_000 + FUTURE_SECONDS) {
          throw new UnauthenticatedError('The request is from the future');
        }
        reply.hijack();
        slack.receiver.requestListener(request.raw, reply.raw);
      },
    );
  });
}
