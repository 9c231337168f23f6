import type { ServiceClient, CallOptions } from '@slipway/app-react';
import { type ChangeRequest, sendChange } from './changeRequests';
import { type FlagName, environmentPath } from './flags';
import type {
  LimitSources,
  NewSchedule,
  Schedule,
  ScheduleChange,
} from './schedules';

/** Schedules of changes. */
export interface ScheduleCalls {
  /** Newest first. */
  listSchedules(
    query: { featureName?: string; state?: 'open' | 'closed' },
    options?: CallOptions,
  ): Promise<Schedule[]>;
  /**
   * Schedules a change.
   *
   * @returns the change request created instead if the environment is protected.
   */
  createSchedule(
    flag: FlagName,
    schedule: NewSchedule & { environment: string },
  ): Promise<ChangeRequest | undefined>;
  changeSchedule(id: number, change: ScheduleChange): Promise<void>;
  readLimitSources(
    environment: string,
    options?: CallOptions,
  ): Promise<LimitSources>;
}

/** {@link ScheduleCalls} of the service. */
export function scheduleCalls(admin: ServiceClient): ScheduleCalls {
  return {
    async listSchedules(query, options) {
      const { schedules } = await admin.json<{ schedules: Schedule[] }>(
        '/schedules',
        { ...options, query },
      );
      return schedules;
    },

    createSchedule(flag, { environment, ...body }) {
      return sendChange(
        admin,
        `${environmentPath(flag, environment)}/schedules`,
        {
          method: 'POST',
          body,
        },
      );
    },

    async changeSchedule(id, change) {
      await admin.json(`/schedules/${id}/${change}`, { method: 'POST' });
    },

    async readLimitSources(environment, options) {
      const { metrics, watchesBuilds } = await admin.json<{
        metrics: { name: string }[];
        watchesBuilds: boolean;
      }>('/impact-metrics', { ...options, query: { environment } });
      return { metrics: metrics.map(({ name }) => name), watchesBuilds };
    },
  };
}
