import { Request } from 'express';

/** A request's headers by name; an empty one is missing. */
export function headersOf(req: Request): (name: string) => string | undefined {
  // Gitea sends its signature empty where there is no secret.
  return name => req.get(name) || undefined;
}
