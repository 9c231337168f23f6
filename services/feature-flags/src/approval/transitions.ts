import {
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
} from '@slipway/service-kit';
import {
  approversOf,
  type ChangeRequest,
  hasEnded,
  type Review,
} from '../model/ChangeRequest.ts';

/** A caller: its name, and everyone on whose behalf it acts. */
export interface Author {
  readonly by: string;
  /** The name, and for a token also the person who created it. */
  readonly principals: readonly string[];
  /** True for a user of the portal; a token cannot approve. */
  readonly isPerson: boolean;
}

/** A person acting on a change request, with the time and their comment. */
export interface ReviewAction {
  readonly author: Author;
  readonly now: number;
  readonly comment?: string;
}

/**
 * Checks whether a person may approve a request and has not done so yet. If a request in review already
 * has enough approvals, because fewer are required than before, those who have approved it may do so
 * again: any approval then completes it.
 *
 * @param requiredApprovals - the number required now; approved requests with fewer need more.
 */
export function mayApprove(
  request: ChangeRequest,
  { by, isPerson }: Author,
  requiredApprovals = 0,
): boolean {
  const approvers = approversOf(request);
  const isEnough =
    requiredApprovals > 0 && approvers.length >= requiredApprovals;
  return (
    approvableStates(request, requiredApprovals).includes(request.state) &&
    isPerson &&
    !request.authors.includes(by) &&
    (isEnough || !approvers.includes(by))
  );
}

/** Lists the states in which a request can be approved: only in review, unless it now lacks approvals. */
function approvableStates(
  request: ChangeRequest,
  requiredApprovals: number,
): readonly ChangeRequest['state'][] {
  return approversOf(request).length < requiredApprovals
    ? ['In review', 'Approved', 'Scheduled']
    : ['In review'];
}

/**
 * Returns a request with one more approval, by someone who is not one of its authors.
 *
 * @throws ForbiddenError for its authors and for tokens; ConflictError if it needs no approval.
 */
export function approve(
  request: ChangeRequest,
  action: ReviewAction,
  requiredApprovals: number,
): ChangeRequest {
  assertState(request, approvableStates(request, requiredApprovals));
  const { by, isPerson } = action.author;
  if (!isPerson) {
    throw new ForbiddenError('Tokens cannot approve change requests');
  }
  if (request.authors.includes(by)) {
    throw new ForbiddenError(
      'Change requests must be approved by someone other than their author',
    );
  }
  const reviewed = review(request, action, 'approved');
  const isApproved = approversOf(reviewed).length >= requiredApprovals;
  return isApproved && reviewed.state === 'In review'
    ? { ...reviewed, state: 'Approved' }
    : reviewed;
}

/** Returns a rejected request. @throws ConflictError if it has ended. */
export function reject(
  request: ChangeRequest,
  action: ReviewAction,
): ChangeRequest {
  return end(review(request, action, 'rejected'), 'Rejected', action);
}

/** Returns a cancelled request. @throws ConflictError if it has ended. */
export function cancel(
  request: ChangeRequest,
  action: ReviewAction,
): ChangeRequest {
  return end(request, 'Cancelled', action);
}

export function comment(
  request: ChangeRequest,
  action: ReviewAction,
): ChangeRequest {
  return review(request, action, 'comment');
}

/** Schedules an approved request for a given time. @throws ConflictError, InvalidRequestError */
export function scheduleAt(
  request: ChangeRequest,
  { now }: ReviewAction,
  at: number,
): ChangeRequest {
  if (at <= now) {
    throw new InvalidRequestError('scheduledAt must be in the future', {
      field: 'scheduledAt',
      constraint: 'minimum',
    });
  }
  assertState(request, ['Approved', 'Scheduled']);
  return { ...request, state: 'Scheduled', scheduledAt: at };
}

/**
 * Checks that a request may be applied.
 *
 * @param requiredApprovals - undefined if the environment is no longer protected.
 * @throws ConflictError
 */
export function assertApplicable(
  request: ChangeRequest,
  requiredApprovals = 0,
): void {
  assertState(request, ['Approved', 'Scheduled']);
  const approvals = approversOf(request).length;
  if (approvals < requiredApprovals) {
    throw new ConflictError(
      `Change request ${request.id} has ${approvals} of ${requiredApprovals} approvals`,
    );
  }
}

function end(
  request: ChangeRequest,
  state: 'Rejected' | 'Cancelled',
  { author }: ReviewAction,
): ChangeRequest {
  assertState(request, ['In review', 'Approved', 'Scheduled']);
  return { ...request, state, scheduledAt: null, endedBy: author.by };
}

function review(
  request: ChangeRequest,
  action: ReviewAction,
  verdict: Review['verdict'],
): ChangeRequest {
  const { author, now, comment: said } = action;
  return {
    ...request,
    reviews: [
      ...request.reviews,
      { by: author.by, at: now, verdict, ...(said && { comment: said }) },
    ],
  };
}

function assertState(
  request: ChangeRequest,
  states: readonly ChangeRequest['state'][],
): void {
  if (!states.includes(request.state)) {
    throw new ConflictError(
      hasEnded(request)
        ? `Change request ${request.id} has ended: it is ${request.state}`
        : `Change request ${request.id} is ${request.state}`,
      { field: 'state', constraint: 'enum' },
    );
  }
}
