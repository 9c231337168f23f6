import type { ServiceCall, ServiceClient } from '@slipway/app-react';
import type { ChangeRequest } from './changeRequests';

/** Sends a change, and resolves with the change request that it became, if any. */
export async function requested(
  admin: ServiceClient,
  path: string,
  call: ServiceCall,
): Promise<ChangeRequest | undefined> {
  const answer = await admin.send(path, call);
  return answer.status === 202
    ? (await answer.json()).changeRequest
    : undefined;
}
