import type { AttemptOutcome } from '@slipway/service-kit';
import type { ExportedEvent } from '../export/eventPages.ts';
import type { FileSettings } from './destinationConfig.ts';

/** Events of one request, the oldest first. */
export interface EventBatch {
  readonly projectId: string;
  readonly events: readonly ExportedEvent[];
  /** True for an invented event that tests the destination. */
  readonly isTest: boolean;
}

/** A place to which events are sent. */
export interface Sink {
  /** Maximum number of events per batch. */
  readonly batchSize: number;
  /**
   * Returns the time of arrival up to which events may be sent now, exclusive.
   * @param complete - up to when all events are known, milliseconds.
   */
  readyUpTo(complete: number): number;
  /**
   * Returns the end of the batch that begins with an event: events that arrived later
   * belong to the next one.
   */
  batchEnd(first: number): number;
  /** Makes one attempt to send a batch. */
  send(
    batch: EventBatch,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<AttemptOutcome>;
}

/** Names a destination. */
export interface DestinationKey {
  readonly projectId: string;
  readonly id: string;
}

/** The part of a destination that people may see. */
export interface DestinationSummary extends DestinationKey {
  readonly kind: 'webhook' | 's3';
  /** Its address, without secrets. */
  readonly address: string;
  /** Names of events; all if omitted. */
  readonly events?: readonly string[];
}

/** A destination of a project's events. */
export interface Destination extends DestinationSummary {
  readonly origin: 'configuration' | 'portal';
  /** True if events wait until it is resumed. */
  readonly isPaused: boolean;
  /** Undefined if its secrets were encrypted with another key. */
  readonly sink?: Sink;
  /** The settings of a bucket's files; undefined if they cannot be decrypted. */
  readonly files?: FileSettings;
}
