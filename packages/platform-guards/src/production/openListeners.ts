import { LISTENS, LOOPBACK } from './developmentAddresses.ts';
import { stringsOf } from './stringsOf.ts';

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
