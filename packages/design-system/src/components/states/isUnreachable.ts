import { ResponseError } from '@backstage/errors';

/** Status of the answer that an error tells of; undefined where there was none. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof ResponseError ? error.response.status : undefined;
}

/** The proxy had no answer to hand on, or the service cannot work. */
export function isUnreachable(error: unknown): boolean {
  return [502, 503, 504].includes(statusOf(error) ?? 0);
}
