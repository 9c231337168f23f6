/** The process of an engine died, or did not start. */
export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError';
}
