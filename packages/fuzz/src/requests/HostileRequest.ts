/** A request to the byte, so that it can be sent again. */
export interface HostileRequest {
  method: string;
  /** Path and query as they are sent. */
  target: string;
  /** Each character one byte. Without `Content-Length`, which the body gives. */
  headers: readonly (readonly [name: string, value: string])[];
  body?: Buffer;
  /** Share of the bytes after which the sender hangs up. */
  cutAt?: number;
}
