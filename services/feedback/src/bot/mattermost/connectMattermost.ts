import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceKit } from '@slipway/service-kit';
import type { FeedbackBot } from '../FeedbackBot.ts';
import { MattermostBot } from './MattermostBot.ts';

const RETRY_MS = 10_000;

/** Keeps the bot connected while the service runs; a server that is not there is tried again. */
export function connectMattermost(
  kit: Pick<ServiceKit, 'logger' | 'onStart' | 'onStop'>,
  options: { bot: FeedbackBot; url: string; token: string },
): void {
  const { logger } = kit;
  const mattermost = new MattermostBot({ ...options, logger });
  const stopping = new AbortController();
  const connect = async () => {
    while (!stopping.signal.aborted) {
      try {
        await mattermost.start();
        return;
      } catch (error) {
        logger.warn({ err: error }, 'Mattermost cannot be reached');
        await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(
          () => undefined,
        );
      }
    }
  };
  kit.onStart(() => {
    void connect();
  });
  kit.onStop(async () => {
    stopping.abort();
    await mattermost.stop();
  });
}
