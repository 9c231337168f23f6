import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 250;
/** A dev server holds its first answer back until the bundle is built. */
const ANSWER_TIMEOUT_MS = 60_000;

/** Resolves to true once the URL answers 2xx, to false when the wait is aborted. */
export async function waitUntilReady(
  url: string,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    if (await answersOk(url, signal)) {
      return true;
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
  return false;
}

async function answersOk(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
