import {
  readEvents,
  type CallOptions,
  type ServiceClient,
  type ServiceRevision,
} from '@slipway/app-react';
import { type ChangeRequest, sendChange } from './changeRequests';

/** The number of events on a page of the history. */
export const HISTORY_PAGE = 50;

/** A change, with its author. Times are ISO 8601. */
export interface HistoryEvent {
  id: number;
  type: string;
  /** The environment that was changed; null for a change to all of them. */
  environment?: string | null;
  createdBy: string;
  createdAt: string;
  /** The state before; null for a creation. */
  preData: Record<string, unknown> | null;
  data: Record<string, unknown> | null;
}

/** Recorded changes, and notifications of new ones. */
export interface HistoryCalls {
  /** Rolls back one change of a flag and keeps later changes. */
  rollBack(event: number): Promise<ChangeRequest | undefined>;
  /** Calls back on every change, until the call is aborted or the connection closes. */
  followChanges(
    onChange: (revision: ServiceRevision) => void,
    options?: CallOptions,
  ): Promise<void>;
  /**
   * Reads a page of {@link HISTORY_PAGE} events, newest first, and one more if there are older ones.
   *
   * @param query.before - the id of the last event on the previous page; undefined for the first page.
   */
  getHistory(
    name: string,
    query: { before?: number },
    options?: CallOptions,
  ): Promise<HistoryEvent[]>;
}

/** {@link HistoryCalls} of the service. */
export function historyCalls(admin: ServiceClient): HistoryCalls {
  return {
    rollBack(event) {
      return sendChange(admin, `/events/${event}/rollback`, { method: 'POST' });
    },

    async followChanges(onChange, options) {
      const { body } = await admin.send('/stream', options);
      for await (const data of readEvents(body)) {
        onChange(JSON.parse(data));
      }
    },

    async getHistory(name, { before }, options) {
      const { events } = await admin.json<{ events: HistoryEvent[] }>(
        '/events',
        {
          ...options,
          query: {
            featureName: name,
            limit: HISTORY_PAGE + 1,
            ...(before !== undefined && { before }),
          },
        },
      );
      return events;
    },
  };
}
