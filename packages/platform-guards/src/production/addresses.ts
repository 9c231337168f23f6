import { stringsOf } from './readConfiguration.ts';

/** Matches an address or URL of this machine. */
const LOOPBACK =
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)(?:[:/]|$)/i;

/** Keys of listen addresses. */
const LISTENS = /(?:^|\.)listen\.host$/;

/**
 * Finds local addresses in the development file that no other source overrides. A local address in
 * another source is intended, e.g. if everything runs on one host.
 *
 * @param options.effective - the effective configuration.
 * @param options.own - the effective configuration without the development file.
 */
export function* developmentAddresses(options: {
  effective: unknown;
  own: unknown;
}): Generator<[key: string, value: string]> {
  const replaced = new Set([...stringsOf(options.own)].map(([key]) => key));
  for (const [key, value] of stringsOf(options.effective)) {
    // Listening only on this machine is safe: it exposes nothing.
    if (LOOPBACK.test(value) && !LISTENS.test(key) && !replaced.has(key)) {
      yield [key, value];
    }
  }
}

/**
 * Finds listen addresses that are reachable from other machines.
 *
 * @returns pairs of a key and its address.
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
  // Backstage listens on all interfaces by default.
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
