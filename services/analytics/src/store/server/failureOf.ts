import { ClickHouseError } from '@clickhouse/client';
import { UnavailableError } from '@slipway/service-kit';
import { QueryTooHeavyError } from '../process/LazyProcess.ts';

const TOO_HEAVY: ReadonlySet<string | undefined> = new Set([
  'MEMORY_LIMIT_EXCEEDED',
  'TIMEOUT_EXCEEDED',
  'TOO_MANY_ROWS_OR_BYTES',
  'TOO_SLOW',
]);

/**
 * Converts a server failure to an error: a query that is too heavy is the caller's
 * fault; a server that is unreachable or rejects this service is not.
 */
export function failureOf(cause: unknown): Error {
  if (cause instanceof ClickHouseError) {
    return TOO_HEAVY.has(cause.type)
      ? new QueryTooHeavyError(cause)
      : new UnavailableError('The event store refused a statement', { cause });
  }
  return new UnavailableError('The event store is not responding', { cause });
}
