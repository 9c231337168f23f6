import type { AddressRules } from '@slipway/platform-guards';
import {
  type AttemptOutcome,
  attemptRequest,
  signWebhook,
} from '@slipway/service-kit';
import type { EventBatch, Sink } from './Destination.ts';
import type { WebhookConfig } from './destinationConfig.ts';

/** Sends events as signed JSON as soon as they are stored. */
export class WebhookSink implements Sink {
  readonly batchSize = 200;
  readonly #config: WebhookConfig;
  readonly #rules: AddressRules;

  constructor(config: WebhookConfig, rules: AddressRules) {
    this.#config = config;
    this.#rules = rules;
  }

  readyUpTo(complete: number): number {
    return complete;
  }

  batchEnd(): number {
    return Infinity;
  }

  async send(
    { projectId, events, isTest }: EventBatch,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<AttemptOutcome> {
    const { id, url, secret } = this.#config;
    const body = JSON.stringify({
      project: projectId,
      destination: id,
      ...(isTest && { test: true }),
      events,
    });
    return attemptRequest(new URL(url), {
      ...options,
      rules: this.#rules,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Slipway-Analytics',
        'X-Slipway-Event': 'analytics.events',
        'X-Slipway-Delivery': deliveryId(projectId, events),
        'X-Slipway-Signature-256': signWebhook(secret, body),
      },
      body,
    });
  }
}

/** Returns the id of a batch, which is the same for another attempt with the same events. */
function deliveryId(projectId: string, events: EventBatch['events']): string {
  const [first, last] = [events[0], events[events.length - 1]];
  return [projectId, first.uuid, last.uuid, events.length].join(':');
}
