import type {
  ServiceCall,
  ServiceClient,
  CallOptions,
} from '@slipway/app-react';
import type { FlagEnvironment } from './flags';
import type { NewSchedule } from './schedules';

export type ChangeRequestState =
  'In review' | 'Approved' | 'Scheduled' | 'Applied' | 'Rejected' | 'Cancelled';

/** A state in a change request. */
type RequestedState = Required<
  Pick<FlagEnvironment, 'enabled' | 'strategies' | 'variants'>
>;

/** A change in a protected environment that needs approval. Times are ISO 8601. */
export interface ChangeRequest {
  id: number;
  featureName: string;
  environment: string;
  state: ChangeRequestState;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  scheduledAt: string | null;
  endedBy: string | null;
  requiredApprovals: number;
  approvals: readonly string[];
  /** True if the reader may approve it now. */
  mayApprove: boolean;
  reviews: readonly {
    createdBy: string;
    createdAt: string;
    verdict: 'approved' | 'rejected' | 'comment';
    comment?: string;
  }[];
  change: {
    before?: RequestedState;
    after?: RequestedState;
    schedule?: NewSchedule;
  };
}

/** Changes that need approval. */
export interface ChangeRequestCalls {
  /** Newest first. */
  listChangeRequests(
    query: { featureName?: string; state?: 'open' | 'closed' },
    options?: CallOptions,
  ): Promise<ChangeRequest[]>;
  /** Approves, schedules, applies, rejects or cancels a change request. */
  setChangeRequestState(
    id: number,
    change: {
      state: ChangeRequestState;
      comment?: string;
      scheduledAt?: string;
    },
  ): Promise<ChangeRequest>;
}

/** {@link ChangeRequestCalls} of the service. */
export function changeRequestCalls(admin: ServiceClient): ChangeRequestCalls {
  return {
    async listChangeRequests(query, options) {
      const { changeRequests } = await admin.json<{
        changeRequests: ChangeRequest[];
      }>('/change-requests', { ...options, query });
      return changeRequests;
    },

    setChangeRequestState(id, change) {
      return admin.json(`/change-requests/${id}/state`, {
        method: 'PUT',
        body: change,
      });
    },
  };
}

/** Sends a change, and resolves with the change request if one was created. */
export async function sendChange(
  admin: ServiceClient,
  path: string,
  call: ServiceCall,
): Promise<ChangeRequest | undefined> {
  const response = await admin.send(path, call);
  return response.status === 202
    ? (await response.json()).changeRequest
    : undefined;
}
