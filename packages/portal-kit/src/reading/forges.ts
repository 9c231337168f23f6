import {
  AzureUrlReader,
  BitbucketCloudUrlReader,
  BitbucketServerUrlReader,
  GerritUrlReader,
  GiteaUrlReader,
  GithubUrlReader,
  GitlabUrlReader,
  HarnessUrlReader,
  ReaderFactory,
  UrlReaderPredicateTuple,
} from '@backstage/backend-defaults/urlReader';
import { UrlReaderService } from '@backstage/backend-plugin-api';
import { NotAllowedError } from '@backstage/errors';
import { ScmIntegrations } from '@backstage/integration';
import { AddressRules } from '@slipway/platform-guards';
import { underRules } from './guardedTransport';
import { concealed } from './GuardedUrlReader';
import { ReadingRules } from './ReadingRules';

/**
 * Maximum size of one response. Some forges send files as base64 in JSON, which is read as a whole;
 * the file itself has its own limit.
 */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

const FACTORIES: readonly ReaderFactory[] = [
  AzureUrlReader.factory,
  BitbucketCloudUrlReader.factory,
  BitbucketServerUrlReader.factory,
  GerritUrlReader.factory,
  GiteaUrlReader.factory,
  GithubUrlReader.factory,
  GitlabUrlReader.factory,
  HarnessUrlReader.factory,
];

/**
 * Creates Backstage's readers of forges, and applies address rules to all their requests. Without rules,
 * they follow every redirect and every address in a response, so anyone who controls an integration's
 * host could direct the portal to its internal network.
 */
export const forges: ReaderFactory = options => {
  const listed = new ReadingRules(options.config);
  const hosts = ScmIntegrations.fromConfig(options.config)
    .list()
    .map(integration => ('config' in integration ? integration.config : {}))
    .map(hostsIn);
  return FACTORIES.flatMap(factory => factory(options)).map(tuple => {
    const own = hosts.filter(each => each.some(host => reads(tuple, host)));
    const owns = (url: URL) => own.flat().includes(url.host);
    return guardedBy(
      { rules: rulesFor(owns, listed), mayKnowCredentials: owns },
      tuple,
    );
  });
};

/** Returns the hosts, with ports, in the configuration of an integration. */
function hostsIn(section: unknown): string[] {
  return Object.entries(section as object).flatMap(([key, value]) => {
    if (typeof value !== 'string') {
      return [];
    }
    const url = URL.parse(key === 'host' ? `https://${value}` : value);
    return url && /^https?:$/.test(url.protocol) ? [url.host] : [];
  });
}

function reads({ predicate }: UrlReaderPredicateTuple, host: string): boolean {
  return predicate(new URL(`https://${host}`));
}

/**
 * Returns rules that allow any address for the hosts that an operator configured, and only public
 * addresses for all others.
 */
function rulesFor(
  owns: (url: URL) => boolean,
  listed: ReadingRules,
): AddressRules {
  return {
    judge(url) {
      if (!/^https?:$/.test(url.protocol)) {
        return 'refused';
      }
      return owns(url) || listed.judge(url) === 'trusted'
        ? 'trusted'
        : 'public';
    },
  };
}

function guardedBy(
  guard: Parameters<typeof underRules>[0],
  { predicate, reader }: UrlReaderPredicateTuple,
): UrlReaderPredicateTuple {
  const guarded: UrlReaderService = {
    readUrl: (url, options) =>
      reading(url, { ...guard, maxBytes: MAX_ANSWER_BYTES }, () =>
        reader.readUrl(url, options),
      ),
    readTree: (url, options) =>
      reading(url, guard, () => reader.readTree(url, options)),
    search: async (url, options) => {
      const found = await reading(url, guard, () =>
        reader.search(url, options),
      );
      // Some readers fetch a file only when its content is read, from an address that the forge returned.
      const files = found.files.map(file => ({
        ...file,
        content: () => reading(file.url, guard, () => file.content()),
      }));
      return { ...found, files };
    },
  };
  return { predicate, reader: guarded };
}

async function reading<T>(
  url: string,
  options: Parameters<typeof underRules>[0],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await underRules(options, work);
  } catch (error) {
    // node-fetch's message for a redirect to another scheme.
    if (
      error instanceof Error &&
      /^Only (?:HTTP|absolute)/.test(error.message)
    ) {
      throw new NotAllowedError(
        `The redirect of ${url} is not allowed: it does not lead to a web server`,
      );
    }
    throw concealed(error, url);
  }
}
