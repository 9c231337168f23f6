import type { ServiceCall, ServiceClient } from '@slipway/app-react';
import type { ChangeRequest } from './changeRequests';

/** Sends a change, and resolves with the change request if one was created. */
export async function requested(
  admin: ServiceClient,
  path: string,
  call: ServiceCall,
): Promise<ChangeRequest | undefined> {
  const response = await admin.send(path, call);
  return response.status === 202
    ? (await response.json()).changeRequest
    : undefined;
}
