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
import { ReadingRules, worded } from './GuardedUrlReader';

/**
 * How much one answer to the reading of a file may have. Some forges send files in base64
 * within JSON, which is read whole; the file itself is bounded by its own limit.
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
 * Makes Backstage's readers of forges, with every request of theirs held to address rules.
 * By themselves they follow each redirect, and each address in an answer: whoever answers
 * for a host of an integration could lead the portal into its own network.
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

/** The hosts that the section of an integration names, with their ports. */
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

/** Trusts the hosts that an operator configured, wherever they are, and public addresses otherwise. */
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
      // Some are read when they are asked for, at addresses that the forge gave.
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
    // What node-fetch says of a redirect to another scheme.
    if (
      error instanceof Error &&
      /^Only (?:HTTP|absolute)/.test(error.message)
    ) {
      throw new NotAllowedError(
        `The redirect of ${url} is not allowed: it does not lead to a web server`,
      );
    }
    throw worded(error, url);
  }
}
