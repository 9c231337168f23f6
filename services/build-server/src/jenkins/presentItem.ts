import { type Build, isStarted } from '../builds/Build.ts';
import { actionsOf } from './presentBuild.ts';
import { buildUrl, jobUrl } from './urls.ts';

/** What keeps a build that is due from starting. */
export interface Waiting {
  /** The build of the same job that runs, where only one may. */
  blockedBy?: { number: number };
}

/** A queue item, for ever: also when its build has long ended. */
export function presentItem(
  build: Build,
  { base, now, blockedBy }: { base: string; now: number } & Waiting,
) {
  const isWaiting = build.state === 'queued';
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
    why: isWaiting ? whyOf(build, { now, blockedBy }) : null,
    params: Object.entries(build.parameters)
      .map(([name, value]) => `\n${name}=${value}`)
      .join(''),
    actions: actionsOf(build),
    blocked: isWaiting && !isDelayed && blockedBy !== undefined,
    buildable: isWaiting && !isDelayed && blockedBy === undefined,
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
  { now, blockedBy }: { now: number } & Waiting,
): string {
  if (build.dueAt > now) {
    const seconds = Math.ceil((build.dueAt - now) / 1_000);
    return `In the quiet period. Expires in ${seconds} sec`;
  }
  return blockedBy
    ? `Build #${blockedBy.number} is already in progress`
    : 'Waiting for next available executor';
}
