import type { Request } from 'express';

const requests = new WeakSet<Request>();

/** Marks a request as one that a permission of administrators let in. */
export function markAdministrative(req: Request): void {
  requests.add(req);
}

/** Tells whether a request was let in by a permission of administrators. */
export function isAdministrative(req: Request): boolean {
  return requests.has(req);
}
