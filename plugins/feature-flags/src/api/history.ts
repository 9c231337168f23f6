import { readEvents, type ServiceClient } from '@slipway/app-react';
import type { CallOptions } from './CallOptions';
import type { ChangeRequest } from './changeRequests';
import { requested } from './requested';

/** Something that somebody changed. Times are ISO 8601. */
export interface HistoryEvent {
  id: number;
  type: string;
  /** The environment that was changed; null for a change to all of them. */
  environment?: string | null;
  createdBy: string;
  createdAt: string;
  /** What it was; null for what was not there. */
  preData: Record<string, unknown> | null;
  data: Record<string, unknown> | null;
}

/** What was changed, as it is recorded and as it happens. */
export interface HistoryCalls {
  /** Undoes one change of a flag, and leaves later ones. */
  rollBack(event: number): Promise<ChangeRequest | undefined>;
  /** Calls back at every change of anything, until the call is aborted or the connection ends. */
  followChanges(
    onChange: (revision: number) => void,
    options?: CallOptions,
  ): Promise<void>;
  /** Newest first. */
  getHistory(name: string, options?: CallOptions): Promise<HistoryEvent[]>;
}

/** {@link HistoryCalls} of the service. */
export function historyCalls(admin: ServiceClient): HistoryCalls {
  return {
    rollBack(event: number): Promise<ChangeRequest | undefined> {
      return requested(admin, `/events/${event}/rollback`, { method: 'POST' });
    },

    async followChanges(
      onChange: (revision: number) => void,
      options?: CallOptions,
    ): Promise<void> {
      const { body } = await admin.send('/stream', options);
      for await (const data of readEvents(body)) {
        onChange(JSON.parse(data).revision);
      }
    },

    async getHistory(
      name: string,
      options?: CallOptions,
    ): Promise<HistoryEvent[]> {
      const { events } = await admin.json<{ events: HistoryEvent[] }>(
        '/events',
        {
          ...options,
          query: { featureName: name },
        },
      );
      return events;
    },
  };
}
