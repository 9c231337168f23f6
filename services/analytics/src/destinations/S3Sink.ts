import { createHash } from 'node:crypto';
import type { AddressRules } from '@slipway/platform-guards';
import { type AttemptOutcome, attemptRequest } from '@slipway/service-kit';
import { AwsV4Signer } from 'aws4fetch';
import { encode, MEDIA_TYPES } from '../export/encodings.ts';
import type { ExportedEvent } from '../export/eventPages.ts';
import type { EventBatch, Sink } from './Destination.ts';
import type { Interval, S3Config } from './destinationConfig.ts';

const PERIODS_MS: Record<Interval, number> = {
  hour: 3_600_000,
  day: 86_400_000,
};

/** Writes the events of each hour or day to files in a bucket. */
export class S3Sink implements Sink {
  readonly batchSize = 20_000;
  readonly #config: S3Config;
  readonly #rules: AddressRules;
  readonly #interval: Interval;

  constructor(config: S3Config, rules: AddressRules) {
    this.#config = config;
    this.#interval = config.interval ?? 'hour';
    this.#rules = rules;
  }

  readyUpTo(complete: number): number {
    return this.#startOfPeriod(complete);
  }

  batchEnd(first: number): number {
    return this.#startOfPeriod(first) + PERIODS_MS[this.#interval];
  }

  async send(
    { projectId, events, isTest }: EventBatch,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<AttemptOutcome> {
    const { endpoint, region, bucket, format } = this.#config;
    const body = await encoded(events, format);
    const url = new URL(endpoint);
    const base = url.pathname.replace(/\/$/, '');
    const name = isTest
      ? `${this.#config.prefix}${projectId}/test-event.${format}`
      : this.#nameOf(projectId, events[0]);
    url.pathname = `${base}/${bucket}/${name}`;
    const signed = await new AwsV4Signer({
      url: url.href,
      method: 'PUT',
      headers: {
        'Content-Type': MEDIA_TYPES[format],
        'X-Amz-Content-Sha256': createHash('sha256').update(body).digest('hex'),
      },
      accessKeyId: this.#config.accessKeyId,
      secretAccessKey: this.#config.secretAccessKey,
      region,
      service: 's3',
    }).sign();
    return attemptRequest(signed.url, {
      ...options,
      rules: this.#rules,
      method: 'PUT',
      headers: Object.fromEntries(signed.headers),
      body,
    });
  }

  /** Returns the file's name: events that are sent again replace the same file. */
  #nameOf(projectId: string, { created_at: at, uuid }: ExportedEvent): string {
    const [day, time] = at.split('T');
    const { prefix, format } = this.#config;
    const folder = day.replaceAll('-', '/');
    const [hour, minutes] = [time.slice(0, 2), time.slice(3, 12)];
    const begin = this.#interval === 'hour' ? `${hour}/` : hour;
    const name = `${begin}${minutes.replace(/[:.]/g, '')}-${uuid}.${format}`;
    return `${prefix}${projectId}/${folder}/${name}`;
  }

  /** Returns when the period of an instant began, in UTC. */
  #startOfPeriod(instant: number): number {
    const period = PERIODS_MS[this.#interval];
    return Math.floor(instant / period) * period;
  }
}

async function encoded(
  events: readonly ExportedEvent[],
  format: S3Config['format'],
): Promise<Buffer> {
  async function* pages() {
    yield events;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of encode(pages(), format)) {
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}
