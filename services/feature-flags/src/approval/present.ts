import { isoOf } from '@slipway/entity-contract';
import type { Caller } from '@slipway/service-kit';
import type { Static } from 'typebox';
import { presentStrategy } from '../flags/present.ts';
import { approversOf, type ChangeRequest } from '../model/ChangeRequest.ts';
import type { FlagState } from '../model/Flag.ts';
import { presentPlan } from '../schedules/present.ts';
import type { Environments } from '../registers/registers.ts';
import { authorOf } from '../tokens/access.ts';
import type { ChangeRequestResponse } from './schemas.ts';
import { type Author, mayApprove } from './transitions.ts';

/** Returns a function that presents change requests to a caller, with the number of required approvals. */
export function requestPresenter(environments: Environments) {
  return async (requests: readonly ChangeRequest[], caller: Caller) => {
    const author = authorOf(caller);
    const required = new Map(
      (await environments.list()).map(
        ({ name, requiredApprovals }) => [name, requiredApprovals] as const,
      ),
    );
    return requests.map(request =>
      presentRequest(request, {
        author,
        requiredApprovals: required.get(request.environment) ?? 1,
      }),
    );
  };
}

/** Presents a change request to one caller. */
function presentRequest(
  request: ChangeRequest,
  { requiredApprovals, author }: { requiredApprovals: number; author: Author },
): Static<typeof ChangeRequestResponse> {
  const { id, flag, environment, state, change } = request;
  const { createdBy, scheduledAt, endedBy, reviews } = request;
  return {
    id,
    featureName: flag,
    environment,
    state,
    createdBy,
    createdAt: isoOf(request.createdAt),
    updatedAt: isoOf(request.updatedAt),
    scheduledAt: isoOf(scheduledAt),
    endedBy,
    requiredApprovals,
    approvals: approversOf(request),
    mayApprove: mayApprove(request, author, requiredApprovals),
    reviews: reviews.map(({ by, at, verdict, comment }) => ({
      createdBy: by,
      createdAt: isoOf(at),
      verdict,
      ...(comment !== undefined && { comment }),
    })),
    change:
      change.kind === 'state'
        ? { before: presentState(change.from), after: presentState(change.to) }
        : { schedule: presentPlan(change.plan) },
  };
}

function presentState({ enabled, strategies, variants }: FlagState) {
  return { enabled, strategies: strategies.map(presentStrategy), variants };
}
