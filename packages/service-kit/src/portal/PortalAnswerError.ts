/** The portal answered, but not with what it was asked for. */
export class PortalAnswerError extends Error {
  override readonly name = 'PortalAnswerError';
  /** HTTP status of the answer. */
  readonly status: number;

  /** @param path - what was asked for; its query is left out. */
  constructor(path: string, status: number) {
    super(`The portal answered ${status} to ${path.split('?')[0]}`);
    this.status = status;
  }
}
