import type { CallOptions, ServiceRevision } from '@slipway/app-react';
import type { FlagsApi } from '../api/FlagsApi';
import type { ChangeRequest, ChangeRequestCalls } from '../api/changeRequests';
import type { FlagName } from '../api/flags';
import {
  HISTORY_PAGE,
  type HistoryCalls,
  type HistoryEvent,
} from '../api/history';
import type { ScheduleCalls } from '../api/scheduleCalls';
import type {
  LimitSources,
  NewSchedule,
  Schedule,
  ScheduleChange,
} from '../api/schedules';
import type { FakeState } from './FakeState';

/** Calls of the fake service, on its state. */
export function fakeChanges(
  service: FakeState,
): ChangeRequestCalls & ScheduleCalls & HistoryCalls {
  return {
    async listChangeRequests({
      state,
    }: {
      state?: 'open' | 'closed';
    }): Promise<ChangeRequest[]> {
      const isOpen = (request: ChangeRequest) =>
        ['In review', 'Approved', 'Scheduled'].includes(request.state);
      return service.respond(
        'listChangeRequests',
        service.requests.filter(each => isOpen(each) === (state === 'open')),
      );
    },

    async setChangeRequestState(
      id: number,
      {
        state,
        comment,
        scheduledAt,
      }: Parameters<FlagsApi['setChangeRequestState']>[1],
    ): Promise<ChangeRequest> {
      service.respond('setChangeRequestState', undefined);
      service.requests = service.requests.map(request =>
        request.id === id
          ? {
              ...request,
              state,
              scheduledAt: scheduledAt ?? null,
              ...(state === 'Approved' && {
                approvals: ['user:default/grace'],
                mayApprove: false,
                reviews: [
                  {
                    createdBy: 'user:default/grace',
                    createdAt: '2026-11-20T11:00:00.000Z',
                    verdict: 'approved' as const,
                    comment,
                  },
                ],
              }),
            }
          : request,
      );
      return service.requests.find(each => each.id === id)!;
    },

    async listSchedules({
      state,
    }: {
      state?: 'open' | 'closed';
    }): Promise<Schedule[]> {
      const isOpen = (schedule: Schedule) =>
        schedule.state === 'active' || schedule.state === 'paused';
      return service.respond(
        'listSchedules',
        service.schedules.filter(each => isOpen(each) === (state === 'open')),
      );
    },

    async createSchedule(
      { name }: FlagName,
      { environment, ...schedule }: NewSchedule & { environment: string },
    ): Promise<ChangeRequest | undefined> {
      service.respond('createSchedule', undefined);
      const id = service.schedules.length + 1;
      service.schedules = [
        {
          ...schedule,
          id,
          featureName: name,
          environment,
          state: 'active',
          reason: null,
          nextStep: 0,
          createdBy: 'user:default/ada',
        },
        ...service.schedules,
      ];
      return undefined;
    },

    async changeSchedule(id: number, change: ScheduleChange): Promise<void> {
      service.respond('changeSchedule', undefined);
      const states = { pause: 'paused', resume: 'active', cancel: 'cancelled' };
      service.schedules = service.schedules.map(schedule =>
        schedule.id === id
          ? { ...schedule, state: states[change] as Schedule['state'] }
          : schedule,
      );
    },

    async readLimitSources(): Promise<LimitSources> {
      return service.respond('readLimitSources', {
        metrics: ['checkout_errors'],
        watchesBuilds: true,
      });
    },

    async rollBack(event: number): Promise<ChangeRequest | undefined> {
      service.respond('rollBack', undefined);
      service.rolledBack.push(event);
      return undefined;
    },

    async getHistory(
      _name: string,
      { before = Infinity }: { before?: number },
    ): Promise<HistoryEvent[]> {
      const older = service.history.filter(({ id }) => id < before);
      return service.respond('getHistory', older.slice(0, HISTORY_PAGE + 1));
    },

    async followChanges(
      onChange: (revision: ServiceRevision) => void,
      { signal }: CallOptions = {},
    ): Promise<void> {
      const ageMs = await service.connected;
      service.followers.add(onChange);
      onChange({ revision: 1, ageMs });
      await new Promise(resolve => {
        signal?.addEventListener('abort', resolve);
      });
      service.followers.delete(onChange);
    },
  };
}
