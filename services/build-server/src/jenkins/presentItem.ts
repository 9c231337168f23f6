import { type Build, isStarted } from '../builds/Build.ts';
import { actionsOf } from './presentBuild.ts';
import { buildUrl, jobUrl } from './urls.ts';

/** What keeps a build that is due from starting. */
export interface Waiting {
  /** The build of the same job that runs, where only one may. */
  blockedBy?: { number: number };
  /** Why its job cannot be built. */
  disabled?: string;
}

/** A queue item, for ever: also when its build has long ended. */
export function presentItem(
  build: Build,
  { base, now, ...waiting }: { base: string; now: number } & Waiting,
) {
  const { blockedBy, disabled } = waiting;
  const isWaiting = build.state === 'queued';
  const isBlocked = blockedBy !== undefined || disabled !== undefined;
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
    // What never began says why.
    why: isWaiting ? whyOf(build, { now, ...waiting }) : endOf(build),
    params: Object.entries(build.parameters)
      .map(([name, value]) => `\n${name}=${value}`)
      .join(''),
    actions: actionsOf(build),
    blocked: isWaiting && !isDelayed && isBlocked,
    buildable: isWaiting && !isDelayed && !isBlocked,
    stuck: false,
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
  { now, blockedBy, disabled }: { now: number } & Waiting,
): string {
  if (disabled !== undefined) {
    return `${build.job} is disabled: ${disabled}`;
  }
  if (build.dueAt > now) {
    const seconds = Math.ceil((build.dueAt - now) / 1_000);
    return `In the quiet period. Expires in ${seconds} sec`;
  }
  return blockedBy
    ? `Build #${blockedBy.number} is already in progress`
    : 'Waiting for next available executor';
}

/** Why a build left the queue without a start. */
function endOf(build: Build): string | null {
  return isStarted(build) ? null : build.reason;
}
