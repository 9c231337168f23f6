import { type Build, isStarted, onlyWaits } from '../builds/Build.ts';
import { actionsOf } from './presentBuild.ts';
import { buildUrl, jobUrl } from './urls.ts';

/** Reason why a due build does not start. */
export interface Waiting {
  /** The running build of the same job or group, if only one may run. */
  blockedBy?: Pick<Build, 'job' | 'number' | 'steps'>;
  /** Reason why no executor with the required labels accepts builds. */
  noExecutor?: string;
  /** Its position among the waiting ones, from 1. */
  position?: number;
  /** Why its job cannot be built, e.g. `is disabled by token:ada`. */
  disabled?: string;
}

/** Presents a queue item. It exists forever, even after its build has ended. */
export function presentItem(
  build: Build,
  { base, now, ...waiting }: { base: string; now: number } & Waiting,
) {
  const { blockedBy, disabled, noExecutor, position } = waiting;
  const isWaiting = build.state === 'queued';
  const isBlocked =
    blockedBy !== undefined ||
    disabled !== undefined ||
    noExecutor !== undefined;
  const isDelayed = isWaiting && build.dueAt > now;
  return {
    _class: isWaiting
      ? 'hudson.model.Queue$WaitingItem'
      : 'hudson.model.Queue$LeftItem',
    id: build.id,
    url: `queue/item/${build.id}/`,
    task: {
      _class: 'hudson.model.FreeStyleProject',
      name: build.job,
      url: jobUrl(base, build.job),
      color: 'notbuilt',
    },
    // An item that never started says why.
    why: isWaiting ? whyOf(build, { now, ...waiting }) : endOf(build),
    params: Object.entries(build.parameters)
      .map(([name, value]) => `\n${name}=${value}`)
      .join(''),
    actions: actionsOf(build),
    blocked: isWaiting && !isDelayed && isBlocked,
    buildable: isWaiting && !isDelayed && !isBlocked,
    stuck: isWaiting && !isDelayed && noExecutor !== undefined,
    position: position ?? null,
    cancelled: build.state === 'finished' && !isStarted(build),
    inQueueSince: build.queuedAt,
    timestamp: build.dueAt,
    buildNumber: build.number,
    cause: build.cause,
    executable: isStarted(build)
      ? {
          _class: 'hudson.model.FreeStyleBuild',
          number: build.number,
          url: buildUrl(base, build),
        }
      : null,
  };
}

function whyOf(
  build: Build,
  { now, blockedBy, disabled, noExecutor }: { now: number } & Waiting,
): string {
  if (disabled !== undefined) {
    return `${build.job} ${disabled}`;
  }
  if (build.dueAt > now) {
    const seconds = Math.ceil((build.dueAt - now) / 1_000);
    return `In the quiet period. Expires in ${seconds} sec`;
  }
  if (noExecutor !== undefined) {
    return noExecutor;
  }
  if (!blockedBy) {
    return 'Waiting for next available executor';
  }
  const isOwn = blockedBy.job === build.job;
  const state = onlyWaits(blockedBy.steps)
    ? 'is waiting for approval'
    : `is ${isOwn ? 'already ' : ''}in progress`;
  return isOwn
    ? `Build #${blockedBy.number} ${state}`
    : `${blockedBy.job} #${blockedBy.number}, of the same concurrency group, ${state}`;
}

/** Returns why a build left the queue without starting. */
function endOf(build: Build): string | null {
  return isStarted(build) ? null : build.reason;
}
