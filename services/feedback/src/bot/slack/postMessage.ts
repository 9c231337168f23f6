import { setTimeout as sleep } from 'node:timers/promises';
import { type App, webApi } from '@slack/bolt';

type Client = App['client'];

/** An answer in a thread. */
export interface SlackMessage {
  channel: string;
  text: string;
  thread_ts: string;
}

/** As long as the request of Slack that is answered can wait. */
const LONGEST_WAIT_SECONDS = 5;

/**
 * Posts a message. Where Slack is told too much it waits once as long as Slack says,
 * unless that is long: Slack sends what was not answered again.
 *
 * @throws Error when Slack did not take it; it may be there where no answer came.
 */
export async function postMessage(
  client: Client,
  message: SlackMessage,
): Promise<void> {
  try {
    await client.chat.postMessage(message);
  } catch (error) {
    const wait =
      error instanceof webApi.WebAPIRateLimitedError
        ? error.retryAfter
        : Infinity;
    if (wait > LONGEST_WAIT_SECONDS) {
      throw error;
    }
    await sleep(wait * 1_000);
    await client.chat.postMessage(message);
  }
}
