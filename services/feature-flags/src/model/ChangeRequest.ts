import type { FlagState } from './Flag.ts';
import type { SchedulePlan } from './Schedule.ts';

/** The states of a change request, named as in Unleash. */
export const CHANGE_REQUEST_STATES = [
  'In review',
  'Approved',
  'Scheduled',
  'Applied',
  'Rejected',
  'Cancelled',
] as const;
export type ChangeRequestState = (typeof CHANGE_REQUEST_STATES)[number];

/** A new state of the flag in the environment, or a schedule for it. */
export type WantedChange =
  | { readonly kind: 'state'; readonly from: FlagState; readonly to: FlagState }
  | { readonly kind: 'schedule'; readonly plan: SchedulePlan };

/** A review of a change request. */
export interface Review {
  readonly by: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly verdict: 'approved' | 'rejected' | 'comment';
  readonly comment?: string;
}

/**
 * A change of a flag in a protected environment that needs approval. Times are
 * milliseconds since the Unix epoch.
 */
export interface ChangeRequest {
  readonly id: number;
  readonly flag: string;
  readonly environment: string;
  readonly change: WantedChange;
  readonly state: ChangeRequestState;
  readonly createdBy: string;
  /** Contributors, and the creators of tokens that contributed: none of them may approve the request. */
  readonly authors: readonly string[];
  readonly reviews: readonly Review[];
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it is applied; null unless it is scheduled. */
  readonly scheduledAt: number | null;
  /** The person who applied, rejected or cancelled it. */
  readonly endedBy: string | null;
}

/** Lists the people who have approved the current version of a change request. */
export function approversOf({
  reviews,
}: Pick<ChangeRequest, 'reviews'>): string[] {
  return [
    ...new Set(
      reviews
        .filter(({ verdict }) => verdict === 'approved')
        .map(({ by }) => by),
    ),
  ];
}

/** Checks whether a change request has ended. */
export function hasEnded({ state }: Pick<ChangeRequest, 'state'>): boolean {
  return ['Applied', 'Rejected', 'Cancelled'].includes(state);
}
