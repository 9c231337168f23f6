import type { ChatKind } from '@slipway/service-kit';

/** The events that notices report. */
export const NOTICE_EVENTS = [
  'flag-created',
  'flag-switched',
  'strategies-changed',
  'settings-changed',
  'flag-archived',
  'flag-restored',
  'flags-imported',
  'change-request-waiting',
  'change-request-approved',
  'change-request-applied',
  'change-request-closed',
  'schedule-ran',
  'schedule-paused',
] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** Something that happened to flags, in words. */
export interface Notice {
  /** The most important event first. */
  readonly events: readonly NoticeEvent[];
  /** An event whose notice already covers this one; channels that subscribe to it skip this notice. */
  readonly includedIn?: NoticeEvent;
  /** The name of the flag; null if the notice is about several. */
  readonly flag: string | null;
  readonly projects: readonly string[];
  /** Empty if it concerns every environment. */
  readonly environments: readonly string[];
  readonly by: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** One sentence. */
  readonly text: string;
  readonly details: readonly string[];
}

/** A chat or another receiver of notices. Times are milliseconds since the Unix epoch. */
export interface NoticeChannel {
  readonly id: number;
  /** Counts its changes, from 1. */
  readonly revision: number;
  readonly name: string;
  readonly kind: ChatKind | 'webhook';
  /** Contains a credential for most chats, so it is never returned. */
  readonly url: string;
  /** Signs the requests of a webhook; null for none. */
  readonly secret: string | null;
  /** Ids of projects; `*` for all. */
  readonly projects: readonly string[];
  /** Names of environments; `*` for all. */
  readonly environments: readonly string[];
  /** Names of events; `*` for all. */
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Checks whether a channel gets a notice. */
export function wants(channel: NoticeChannel, notice: Notice): boolean {
  const { enabled, projects, environments, events } = channel;
  const { includedIn } = notice;
  return (
    enabled &&
    overlaps(projects, notice.projects) &&
    (notice.environments.length === 0 ||
      overlaps(environments, notice.environments)) &&
    overlaps(events, notice.events) &&
    !(includedIn && overlaps(events, [includedIn]))
  );
}

function overlaps(wanted: readonly string[], given: readonly string[]) {
  return wanted.includes('*') || given.some(each => wanted.includes(each));
}
