import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A companion service, as the key `slipway` of its package.json describes it. */
export interface ServiceManifest {
  /** Name of its folder in `services` and, with the scope, of its package. */
  name: string;
  /** Top-level key of its section of the configuration: the name in camel case. */
  configKey: string;
  title: string;
  /** The port that it listens on unless its section names another. */
  port: number;
  /** True when pages of the portal call it through the portal's proxy. */
  proxied: boolean;
  /** How to call it in development, in a few words. */
  signIn: string;
  /** Keys of its section, with dots, that name folders of state beside its database. */
  stateFolders: readonly string[];
}

/**
 * Reads how the services of a repository describe themselves, in the order of their names.
 *
 * @throws Error naming the package.json that does not say what the platform needs.
 */
export function readServices(root: string): ServiceManifest[] {
  return globSync('services/*/package.json', { cwd: root })
    .sort()
    .map(file => {
      const { slipway = {} }: { slipway?: Partial<ServiceManifest> } =
        JSON.parse(readFileSync(path.join(root, file), 'utf8'));
      const {
        title,
        port,
        proxied = false,
        signIn,
        stateFolders = [],
      } = slipway;
      if (!title || !port || !signIn) {
        throw new Error(
          `${file} needs a title, a port and signIn under the key slipway`,
        );
      }
      const name = path.basename(path.dirname(file));
      const configKey = name.replace(/-(.)/g, (_, letter: string) =>
        letter.toUpperCase(),
      );
      return { name, configKey, title, port, proxied, signIn, stateFolders };
    });
}
