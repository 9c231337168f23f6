import type { PartDefinition } from './PartDefinition.ts';
import { portOf } from './readAddresses.ts';
import { withSmallHeap } from './withSmallHeap.ts';

/**
 * The part that a companion service is: a folder in `services` that Node runs as it
 * stands, and that tells by `/ready` when it can be used.
 *
 * @param options.name - of its folder and, with the scope, of its package.
 * @param options.title - in the table of addresses.
 * @param options.url - where it listens.
 * @param options.signIn - how to call it, in a few words.
 */
export function describeService(options: {
  name: string;
  title: string;
  url: string;
  signIn: string;
}): PartDefinition {
  const { name, title, url, signIn } = options;
  return {
    name,
    command: withSmallHeap(['node', 'src/main.ts']),
    cwd: `services/${name}`,
    env: { NODE_ENV: 'development' },
    ports: [portOf(new URL(url))],
    readyUrl: `${url}/ready`,
    restartOnChangeOf: `@slipway/${name}`,
    addresses: [{ label: title, url, signIn }],
    // The time is on every line already.
    redundant: [/^\d{4}-\d{2}-\d{2}T\S+Z /],
  };
}
