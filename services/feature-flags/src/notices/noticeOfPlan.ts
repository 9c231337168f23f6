import type { ChangeRequest } from '../model/ChangeRequest.ts';
import type { Notice, NoticeEvent } from '../model/Notice.ts';
import type { Schedule, ScheduleStep } from '../model/Schedule.ts';
import { describeStates } from './describeStates.ts';
import { count, nameOf } from './words.ts';

/** An event of a change request or a schedule, and the user who caused it. */
interface PlanEvent {
  readonly what: string;
  readonly by: string;
  /** The project of the flag. */
  readonly project: string;
}

/** Describes what happened to a change request; undefined for a comment. */
export function noticeOfRequest(
  request: ChangeRequest,
  { what, by, project }: PlanEvent,
): Notice | undefined {
  const { id, flag, environment, updatedAt, state, scheduledAt } = request;
  const said = saidOf(request, what);
  if (!said) {
    return undefined;
  }
  const where = `${flag} in ${environment}`;
  const at = scheduledAt === null ? '' : ` for ${timeOf(scheduledAt)}`;
  const isWaiting = said.event === 'change-request-waiting';
  return {
    events: [said.event],
    flag,
    projects: [project],
    environments: [environment],
    by,
    at: updatedAt,
    text: isWaiting
      ? `A change to ${where} by ${nameOf(by)} is waiting for approval`
      : `Change request ${id} for ${where} was ${said.words} by ${nameOf(by)}${at}`,
    details: [
      ...(isWaiting || what === 'applied' ? wantedBy(request) : []),
      ...(what === 'approved' && state === 'In review'
        ? ['More approvals are required']
        : []),
    ],
  };
}

function saidOf(
  { reviews }: ChangeRequest,
  what: string,
): { event: NoticeEvent; words: string } | undefined {
  switch (what) {
    case 'created':
    case 'updated':
      return { event: 'change-request-waiting', words: 'requested' };
    case 'approved':
    case 'scheduled':
      return { event: 'change-request-approved', words: what };
    case 'applied':
      return { event: 'change-request-applied', words: what };
    case 'rejected': {
      const comment = reviews.at(-1)?.comment;
      const words = comment ? `rejected (${comment})` : 'rejected';
      return { event: 'change-request-closed', words };
    }
    case 'cancelled':
      return { event: 'change-request-closed', words: 'withdrawn' };
    default:
      return undefined;
  }
}

function wantedBy({ change }: ChangeRequest): string[] {
  if (change.kind === 'schedule') {
    return [`Schedule with ${count(change.plan.steps.length, 'step')}`];
  }
  const { from, to } = change;
  return [
    ...(from.enabled === to.enabled ? [] : [`Turned ${onOff(to.enabled)}`]),
    ...describeStates(from, to),
  ];
}

/** Describes what happened to a schedule; undefined if it is not worth a notice. */
export function noticeOfSchedule(
  schedule: Schedule,
  { what, by, project }: PlanEvent,
): Notice | undefined {
  const { flag, environment, updatedAt, reason, nextStep, steps } = schedule;
  const where = `${flag} in ${environment}`;
  const about = {
    flag,
    projects: [project],
    environments: [environment],
    by,
    at: updatedAt,
  };
  switch (what) {
    case 'advanced':
    case 'done':
      return {
        ...about,
        events: ['schedule-ran'],
        text: `Step ${nextStep} of ${steps.length} of the schedule for ${where}: ${stepWords(steps[nextStep - 1])}`,
        details: [],
      };
    case 'paused':
    case 'failed':
      return {
        ...about,
        events: ['schedule-paused'],
        text: `The schedule for ${where} was ${
          what === 'failed' ? 'stopped' : 'paused'
        }${reason === null ? ` by ${nameOf(by)}` : `: ${reason}`}`,
        details: [],
      };
    default:
      return undefined;
  }
}

function stepWords({ enabled, percentage }: ScheduleStep): string {
  return [
    enabled !== undefined && `turned ${onOff(enabled)}`,
    percentage !== undefined && `rolled out to ${percentage}%`,
  ]
    .filter(Boolean)
    .join(', ');
}

function onOff(isOn: boolean): string {
  return isOn ? 'on' : 'off';
}

function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
