/** The command line asks for something that does not exist or cannot be. */
export class UsageError extends Error {
  override name = 'UsageError';
}
