/** Waits until all works have ended. @throws the error of the first one that failed. */
export async function settleAll(
  works: readonly Promise<unknown>[],
): Promise<void> {
  for (const outcome of await Promise.allSettled(works)) {
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
  }
}
