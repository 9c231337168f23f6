import type { AttemptOutcome } from '@slipway/service-kit';
import type { ExportedEvent } from '../export/eventPages.ts';
import type { FileSettings } from './destinationConfig.ts';

/** Events of one request, oldest first. */
export interface EventBatch {
  readonly projectId: string;
  readonly events: readonly ExportedEvent[];
  /** True for a fictitious event that tests the destination. */
  readonly isTest: boolean;
}

/** A receiver of events, such as a webhook or a bucket. */
export interface Sink {
  /** Maximum number of events per batch. */
  readonly batchSize: number;
  /**
   * Returns the time of arrival up to which events may be sent now, exclusive.
   * @param complete - time of arrival up to which all events are known, in milliseconds.
   */
  readyUpTo(complete: number): number;
  /**
   * Returns the time at which the batch that begins with an event ends: events that arrive
   * later belong to the next one.
   */
  batchEnd(first: number): number;
  /** Makes one attempt to send a batch. */
  send(
    batch: EventBatch,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<AttemptOutcome>;
}

/** Identifies a destination. */
export interface DestinationKey {
  readonly projectId: string;
  readonly id: string;
}

/** The part of a destination that people may see. */
export interface DestinationSummary extends DestinationKey {
  readonly kind: 'webhook' | 's3';
  /** Its address, without secrets. */
  readonly address: string;
  /** Names of the events to send; all if omitted. */
  readonly events?: readonly string[];
}

/** A destination of a project's events. */
export interface Destination extends DestinationSummary {
  readonly origin: 'configuration' | 'portal';
  /** True if no events are sent until it is resumed. */
  readonly isPaused: boolean;
  /** The receiver; undefined if its secrets were encrypted with another key. */
  readonly sink?: Sink;
  /** The settings of a bucket's files; undefined if they cannot be decrypted. */
  readonly files?: FileSettings;
}
