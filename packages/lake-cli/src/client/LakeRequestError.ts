/** A request to the lake that failed for good; the message says what to do. */
export class LakeRequestError extends Error {
  override name = 'LakeRequestError';
}
