import {
  type CommonConfig,
  PortalClient,
  type ServiceKit,
} from '@slipway/service-kit';
import { ChangeRequests } from '../approval/ChangeRequests.ts';
import type { FeatureFlagsConfig } from '../config.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import type { ImpactMetrics } from '../impact/ImpactMetrics.ts';
import type { Environments } from '../registers/registers.ts';
import { openChangeRequestStore } from '../storage/ChangeRequestStore.ts';
import type { NoticeOutbox } from '../storage/NoticeOutbox.ts';
import { openScheduleStore } from '../storage/ScheduleStore.ts';
import {
  enqueueApplication,
  enqueueStep,
  openTimedWork,
} from '../storage/timedWork.ts';
import { BuildServer } from './BuildServer.ts';
import { assertCountable, findCrossed } from './limits.ts';
import { ScheduleRunner } from './ScheduleRunner.ts';
import { Schedules } from './Schedules.ts';

/** Limits are checked once per this many checks for due work, because they query the delivery lake. */
const WATCHED_EVERY = 15;

/** Sets up change requests and schedules, and starts the runner that applies them when due. */
export function setUpTimes(
  kit: ServiceKit<FeatureFlagsConfig & CommonConfig>,
  parts: {
    flags: FlagAdmin;
    environments: Environments;
    impact: ImpactMetrics;
    notices: NoticeOutbox;
    onChanged: () => Promise<void>;
  },
): { requests: ChangeRequests; schedules: Schedules } {
  const { database, now, config } = kit;
  const { flags, environments, impact, notices, onChanged } = parts;
  const queue = openTimedWork(database);
  const portal = new PortalClient({
    baseUrl: kit.portal.baseUrl,
    token: config.portalToken,
  });
  const builds = config.builds && new BuildServer(config.builds);
  const schedules = new Schedules({
    schedules: openScheduleStore({
      database,
      async onEvent(trx, schedule, event) {
        await enqueueStep(queue, trx, schedule);
        await notices.tellSchedule(trx, schedule, event);
      },
    }),
    flags,
    assertLimits: limits => assertCountable(limits, { portal, builds, now }),
    now,
    onChanged,
  });
  const requests = new ChangeRequests({
    requests: openChangeRequestStore({
      database,
      async onEvent(trx, request, event) {
        await enqueueApplication(queue, trx, request);
        await notices.tellRequest(trx, request, event);
      },
    }),
    flags,
    environmentNamed: name => environments.get(name),
    startSchedule: (place, plan, options) =>
      schedules.start(place, plan, { ...options, isApproved: true }),
    now,
    onChanged,
  });
  const runner = new ScheduleRunner({
    queue,
    schedules,
    requests,
    flags,
    findCrossed: schedule =>
      findCrossed(schedule, {
        impact,
        portal,
        builds,
        typeOf: async name => (await environments.get(name)).type,
        now,
      }),
    now,
  });
  kit.every({
    name: 'Running scheduled changes',
    everyMs: config.pollMs,
    work: () => runner.runDue(),
  });
  kit.every({
    name: 'Watching the limits of schedules',
    everyMs: WATCHED_EVERY * config.pollMs,
    work: () => runner.watch(),
  });
  return { requests, schedules };
}
