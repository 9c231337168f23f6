import type { Interruption } from './commands.ts';

/** Gives work a time-out of its own, beside a signal that may end it anyway. */
export async function within<T>(
  timeoutMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const reason: Interruption = { kind: 'timeout', seconds: timeoutMs / 1_000 };
  const timer = setTimeout(() => limit.abort(reason), timeoutMs);
  try {
    return await work(AbortSignal.any([outer, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}
