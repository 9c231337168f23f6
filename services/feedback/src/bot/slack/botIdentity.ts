import type { App, Authorize } from '@slack/bolt';

/**
 * As whom Bolt speaks: asks Slack at the first event, and again at the next where it did
 * not answer. Bolt by itself asks at its start, once, and a Slack that is down then ends
 * the process.
 */
export function botIdentity(token: string, client: () => App['client']) {
  let known: { botUserId?: string; botId?: string } | undefined;
  const authorize: Authorize<boolean> = async () => {
    if (!known) {
      const { user_id, bot_id } = await client().auth.test({ token });
      known = { botUserId: user_id, botId: bot_id };
    }
    return { botToken: token, ...known };
  };
  return authorize;
}
