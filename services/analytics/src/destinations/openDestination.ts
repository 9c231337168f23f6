import type { AddressRules } from '@slipway/platform-guards';
import type { Destination, DestinationSummary, Sink } from './Destination.ts';
import type { DestinationConfig, FileSettings } from './destinationConfig.ts';
import { S3Sink } from './S3Sink.ts';
import { WebhookSink } from './WebhookSink.ts';

/** Opens a configured destination. */
export function openConfigured(
  projectId: string,
  config: DestinationConfig,
  rules: AddressRules,
): Destination {
  return {
    ...summaryOf(projectId, config),
    origin: 'configuration',
    isPaused: false,
    ...openSettings(config, rules),
  };
}

/** Opens the connection to a destination; requests are restricted to the allowed addresses. */
export function openSettings(
  config: DestinationConfig,
  rules: AddressRules,
): { sink: Sink; files?: FileSettings } {
  if (config.kind === 'webhook') {
    return { sink: new WebhookSink(config, rules) };
  }
  const { region, bucket, prefix, format, interval = 'hour' } = config;
  return {
    sink: new S3Sink(config, rules),
    files: { region, bucket, prefix, format, interval },
  };
}

/** Returns the part of a destination's settings that people may see. */
export function summaryOf(
  projectId: string,
  config: DestinationConfig,
): DestinationSummary {
  const { id, kind, events } = config;
  return {
    projectId,
    id,
    kind,
    address:
      config.kind === 'webhook'
        ? new URL(config.url).origin
        : `${new URL(config.endpoint).origin}/${config.bucket}`,
    ...(events && { events }),
  };
}
