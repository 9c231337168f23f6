/** Options of every call that reads. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}
