import { stringsOf } from './stringsOf.ts';

/** An address or a URL of this machine. */
export const LOOPBACK =
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)(?:[:/]|$)/i;

/** Keys that say where a process listens. */
export const LISTENS = /(?:^|\.)listen\.host$/;

/**
 * The addresses of this machine that stand in the file of development and that no other
 * source replaces. One that another source names is meant, as where all runs on one host.
 *
 * @param options.effective - the configuration as it holds.
 * @param options.own - the same without the file of development.
 */
export function* developmentAddresses(options: {
  effective: unknown;
  own: unknown;
}): Generator<[key: string, value: string]> {
  const replaced = new Set([...stringsOf(options.own)].map(([key]) => key));
  for (const [key, value] of stringsOf(options.effective)) {
    // To listen on this machine alone closes a process, and opens nothing.
    if (LOOPBACK.test(value) && !LISTENS.test(key) && !replaced.has(key)) {
      yield [key, value];
    }
  }
}
