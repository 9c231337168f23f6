import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformClient } from '../platform/PlatformClient';
import type { Story } from '../story/Story';

/** The context in which a part is loaded or removed. */
export interface PartContext {
  readonly platform: PlatformClient;
  readonly story: Story;
  /** The URL of the portal's pages, without a trailing slash. */
  readonly appUrl: string;
  /** Reports the progress. */
  readonly onProgress: (done: number, total: number) => void;
}

/** One part of the platform: loads and removes its demo data. */
export interface DemoPart {
  readonly id: string;
  readonly title: string;
  /** A sentence describing the loaded data. */
  readonly writes: string;
  /** True if its data is derived from that of the other parts: it is removed after them. */
  readonly isRemovedLast?: boolean;
  /** Loads the part's demo data. Existing data is unchanged. */
  load(context: PartContext): Promise<void>;
  /** Removes all demo data, even if it was loaded only partially or not at all. */
  remove(context: PartContext): Promise<void>;
}

const POLL_MS = 500;

/**
 * Waits until a part of the platform has processed what was sent to it, or until a timeout, after
 * which the part catches up later.
 */
export async function waitUntil(
  isDone: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const until = Date.now() + timeoutMs;
  while (!(await isDone()) && Date.now() < until) {
    await sleep(POLL_MS);
  }
}

/** Sends items in batches, one at a time. */
export async function inBatches<T>(
  items: readonly T[],
  size: number,
  {
    send,
    onProgress,
  }: {
    send: (batch: readonly T[]) => Promise<unknown>;
    onProgress?: (done: number, total: number) => void;
  },
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    await send(items.slice(start, start + size));
    onProgress?.(Math.min(items.length, start + size), items.length);
  }
}
