import {
  GithubUrlReader,
  GitlabUrlReader,
  ReaderFactory,
  ReadUrlResponseFactory,
  UrlReaderPredicateTuple,
} from '@backstage/backend-defaults/urlReader';
import { UrlReaderServiceReadUrlOptions } from '@backstage/backend-plugin-api';
import { InputError, NotModifiedError } from '@backstage/errors';
import {
  DefaultGithubCredentialsProvider,
  getGithubFileFetchUrl,
  getGitLabFileFetchUrl,
  getGitLabRequestOptions,
  ScmIntegrations,
} from '@backstage/integration';
import {
  AddressRules,
  GuardedFetch,
  UnexpectedAnswerError,
} from '@slipway/platform-guards';
import { worded } from './GuardedUrlReader';
import { ListedHosts } from './ListedHosts';

/** The address of a file at a vendor's API, and the headers that it asks for. */
interface VendorRequest {
  address: string;
  headers: Record<string, string>;
}

type Ask = (
  url: string,
  options: UrlReaderServiceReadUrlOptions,
) => Promise<VendorRequest>;

/**
 * Backstage's readers of GitHub and GitLab, which read single files by ours: theirs follow
 * every redirect, and whoever answers for a host of an integration could lead the portal
 * into its own network. Trees and patterns, which an operator alone asks for, stay theirs.
 */
export const integratedHosts: ReaderFactory = options => {
  const integrations = ScmIntegrations.fromConfig(options.config);
  const apps = DefaultGithubCredentialsProvider.fromIntegrations(integrations);
  const listed = new ListedHosts(options);

  const askGithub: Ask = async (url, { token }) => {
    const { config } = integrations.github.byUrl(url)!;
    const credentials = token
      ? {
          type: 'token' as const,
          token,
          headers: { Authorization: `Bearer ${token}` },
        }
      : await apps.getCredentials({ url });
    return {
      address: getGithubFileFetchUrl(url, config, credentials),
      headers: {
        ...credentials.headers,
        Accept: 'application/vnd.github.v3.raw',
      },
    };
  };
  const askGitlab: Ask = async (url, { token }) => {
    const { config } = integrations.gitlab.byUrl(url)!;
    if (url.includes('/-/jobs/artifacts/')) {
      throw new InputError('Artifacts of jobs are not read');
    }
    return {
      address: await getGitLabFileFetchUrl(url, config, token),
      headers: getGitLabRequestOptions(config, token).headers,
    };
  };
  return [
    ...GithubUrlReader.factory(options).map(guardedBy(askGithub, listed)),
    ...GitlabUrlReader.factory(options).map(guardedBy(askGitlab, listed)),
  ];
};

/** Makes a reader that reads single files itself and leaves the rest to the vendor's. */
function guardedBy(ask: Ask, listed: ListedHosts) {
  return ({
    predicate,
    reader,
  }: UrlReaderPredicateTuple): UrlReaderPredicateTuple => ({
    predicate,
    reader: {
      readUrl: async (url, options = {}) => {
        const { address, headers } = await ask(url, options);
        try {
          return await readFile(new URL(address), headers, options, listed);
        } catch (error) {
          throw worded(error, url);
        }
      },
      search: (url, options) => reader.search(url, options),
      readTree: (url, options) => reader.readTree(url, options),
    },
  });
}

async function readFile(
  address: URL,
  headers: Record<string, string>,
  { etag, signal }: UrlReaderServiceReadUrlOptions,
  listed: ListedHosts,
) {
  try {
    const answer = await new GuardedFetch({
      rules: startingAt(address, listed),
    }).get(address, signal ?? new AbortController().signal, {
      'user-agent': 'slipway',
      ...headers,
      ...(etag && { 'if-none-match': etag }),
    });
    const modified = new Date(answer.headers['last-modified'] ?? NaN);
    return await ReadUrlResponseFactory.fromReadable(answer.body, {
      etag: answer.headers.etag,
      lastModifiedAt: Number.isNaN(modified.getTime()) ? undefined : modified,
    });
  } catch (error) {
    if (error instanceof UnexpectedAnswerError && error.status === 304) {
      throw new NotModifiedError();
    }
    throw error;
  }
}

/** Trusts the interface that an operator configured; redirects lead to listed hosts and public addresses. */
function startingAt(address: URL, listed: ListedHosts): AddressRules {
  return {
    judge(url) {
      if (url.origin === address.origin || listed.judge(url) === 'trusted') {
        return 'trusted';
      }
      return /^https?:$/.test(url.protocol) ? 'public' : 'refused';
    },
  };
}
