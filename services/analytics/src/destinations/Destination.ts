import type { ExportedEvent } from '../export/eventPages.ts';

/** Events of one request, the oldest first. */
export interface EventBatch {
  readonly projectId: string;
  readonly events: readonly ExportedEvent[];
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
  /** Resolves once the events are received; rejects with a message for operators. */
  send(batch: EventBatch, signal: AbortSignal): Promise<void>;
}

/** A destination of a project's events. */
export interface Destination {
  readonly projectId: string;
  readonly id: string;
  readonly kind: 'webhook' | 's3';
  /** Its address, without secrets. */
  readonly address: string;
  /** Names of events; all if omitted. */
  readonly events?: readonly string[];
  readonly sink: Sink;
}
