import {
  FetchUrlReader,
  ReaderFactory,
} from '@backstage/backend-defaults/urlReader';
import { Config } from '@backstage/config';
import { AddressRules, AddressVerdict } from '@slipway/platform-guards';

/**
 * The addresses that `backend.reading.allow` lists, with Backstage's own meaning of
 * it. A host that is named is trusted wherever it is; of those that a wildcard lets
 * in, public addresses alone.
 */
export class ListedHosts implements AddressRules {
  readonly #lists: (url: URL) => boolean;
  readonly #names: ReadonlySet<string>;

  constructor(options: Parameters<ReaderFactory>[0]) {
    const [{ predicate }] = FetchUrlReader.factory(options);
    this.#lists = predicate;
    this.#names = new Set(namesIn(options.config));
  }

  judge(url: URL): AddressVerdict {
    if (!/^https?:$/.test(url.protocol) || !this.#lists(url)) {
      return 'refused';
    }
    return this.#names.has(url.hostname) ? 'trusted' : 'public';
  }
}

function namesIn(config: Config): string[] {
  const entries = config.getOptionalConfigArray('backend.reading.allow') ?? [];
  return entries
    .map(entry => entry.getString('host').split(':')[0])
    .filter(name => !name.startsWith('*.'));
}
