import type { Response } from 'express';

/**
 * Runs work when a handler ends its response, also if the client left before: Node.js emits `finish` only
 * for responses that it could send, so clients could avoid work that depends on it.
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
