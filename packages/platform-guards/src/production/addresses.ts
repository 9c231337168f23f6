import { stringsOf } from './readConfiguration.ts';

/** An address or a URL of this machine. */
const LOOPBACK =
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)(?:[:/]|$)/i;

/** Keys that say where a process listens. */
const LISTENS = /(?:^|\.)listen\.host$/;

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

/**
 * Finds where a configuration has a process listen beyond this machine.
 *
 * @returns keys, each with its address.
 */
export function* openListeners(
  configuration: unknown,
): Generator<[key: string, address: string]> {
  for (const [key, value] of stringsOf(configuration)) {
    if (LISTENS.test(key) && !LOOPBACK.test(value)) {
      yield [key, value];
    }
  }
  const { backend } = (configuration ?? {}) as {
    backend?: { listen?: string | { host?: string } };
  };
  // Backstage listens everywhere where it is not told otherwise.
  if (backend?.listen === undefined) {
    if (backend) {
      yield ['backend.listen', 'everywhere'];
    }
  } else if (typeof backend.listen === 'string') {
    if (!LOOPBACK.test(backend.listen)) {
      yield ['backend.listen', backend.listen];
    }
  } else if (backend.listen.host === undefined) {
    yield ['backend.listen.host', 'everywhere'];
  }
}
