import { lt, valid } from 'semver';
import type { SdkUse } from '../storage/ApplicationStore.ts';

/**
 * The first version of each SDK that evaluates dependencies between flags, as Unleash's
 * documentation of dependent features lists them. Older versions ignore dependencies: a
 * flag is on for them although its parent is off. Unlisted SDKs never evaluated them.
 */
const FIRST_WITH_DEPENDENCIES: Readonly<Record<string, string>> = {
  'unleash-client-node': '4.2.0',
  'unleash-client-java': '8.4.0',
  'unleash-client-go': '3.9.2',
  'unleash-client-python': '5.9.0',
  'unleash-client-ruby': '4.6.0',
  'unleash-client-dotnet': '3.4.0',
  'unleash-client-php': '2.2.0',
};

/** A version of an SDK that applications should replace. */
export interface OutdatedSdk {
  /** Name and version, e.g. `unleash-client-node:3.1.0`. */
  readonly sdkVersion: string;
  /** The oldest version that is not outdated. */
  readonly minimum: string;
  readonly applications: readonly SdkUse[];
}

/**
 * Finds the SDKs in use that are older than they should be, by name. Versions that are not
 * semantic versions are never outdated.
 *
 * @param own - minimum versions by the SDK's name, which take precedence over the built-in ones.
 */
export function findOutdatedSdks(
  uses: readonly SdkUse[],
  own: Readonly<Record<string, string>>,
): OutdatedSdk[] {
  const minimums = new Map(
    Object.entries({ ...FIRST_WITH_DEPENDENCIES, ...own }),
  );
  return [...Map.groupBy(uses, ({ sdkVersion }) => sdkVersion)]
    .flatMap(([sdkVersion, applications]) => {
      const [name, version] = sdkVersion.split(':');
      const minimum = minimums.get(name);
      return minimum !== undefined && valid(version) && lt(version, minimum)
        ? [{ sdkVersion, minimum, applications }]
        : [];
    })
    .sort((one, other) => (one.sdkVersion < other.sdkVersion ? -1 : 1));
}
