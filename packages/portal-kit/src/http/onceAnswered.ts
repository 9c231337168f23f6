import type { Response } from 'express';

/**
 * Runs work once, when a handler ends its response, even if the client has disconnected. Node.js emits
 * `finish` only for responses that it could send, so a client could skip work that relies on it.
 */
export function onceAnswered(res: Response, work: () => void): void {
  const { end } = res;
  let isAnswered = false;
  res.end = (...parts: unknown[]) => {
    if (!isAnswered) {
      isAnswered = true;
      work();
    }
    return Reflect.apply(end, res, parts);
  };
}
