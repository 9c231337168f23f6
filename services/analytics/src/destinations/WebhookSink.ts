import { signWebhook } from '@slipway/service-kit';
import type { EventBatch, Sink } from './Destination.ts';
import type { WebhookConfig } from './destinationConfig.ts';
import { sendTo } from './request.ts';

/** Sends events as signed JSON as soon as they are stored. */
export class WebhookSink implements Sink {
  readonly batchSize = 200;
  readonly #config: WebhookConfig;

  constructor(config: WebhookConfig) {
    this.#config = config;
  }

  readyUpTo(complete: number): number {
    return complete;
  }

  batchEnd(): number {
    return Infinity;
  }

  async send(
    { projectId, events }: EventBatch,
    signal: AbortSignal,
  ): Promise<void> {
    const { id, url, secret } = this.#config;
    const body = JSON.stringify({
      project: projectId,
      destination: id,
      events,
    });
    await sendTo(new URL(url), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Slipway-Analytics',
        'X-Slipway-Event': 'analytics.events',
        // The same batch, sent again, has the same id.
        'X-Slipway-Delivery': `${projectId}:${events[0].uuid}`,
        'X-Slipway-Signature-256': signWebhook(secret, body),
      },
      body: Buffer.from(body),
      signal,
    });
  }
}
