/** What every reading call takes beside its own arguments. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}
