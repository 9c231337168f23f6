import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  ReaderFactory,
  urlReaderFactoriesServiceRef,
  UrlReaders,
} from '@backstage/backend-defaults/urlReader';
import {
  coreServices,
  createServiceFactory,
  UrlReaderService,
  UrlReaderServiceReadUrlOptions,
} from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { InputError, NotModifiedError } from '@backstage/errors';
import { ScmIntegrations } from '@backstage/integration';
import { GuardedFetch } from '@slipway/platform-guards';
import { forges } from './forges';
import { GuardedUrlReader } from './GuardedUrlReader';
import { ReadingRules } from './ReadingRules';
import { readWithin } from './readWithin';

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;

/**
 * Limits another reader to 1 MiB per file, after decompression, and to 10 s from the request to the last
 * byte, whether a user or an operator chose the address.
 */
export class BoundedUrlReader implements UrlReaderService {
  readonly #reader: UrlReaderService;
  readonly #patterns: ReadonlySet<string>;

  constructor(options: {
    reader: UrlReaderService;
    /**
     * Addresses configured by an operator. Those with wildcards may read whole repositories.
     */
    patterns: ReadonlySet<string>;
  }) {
    this.#reader = options.reader;
    this.#patterns = options.patterns;
  }

  readonly readUrl: UrlReaderService['readUrl'] = async (url, options) => {
    const { data, ...rest } = await this.#read(url, options);
    return {
      ...rest,
      buffer: async () => data,
      stream: () => Readable.from([data]),
    };
  };

  readonly search: UrlReaderService['search'] = async (url, options) => {
    if (/[*?]|%2a|%3f/i.test(new URL(url).pathname)) {
      if (this.#patterns.has(url)) {
        return this.#reader.search(url, options);
      }
      throw new InputError(`${url} must name one file, not a pattern`);
    }
    try {
      const { data, etag, lastModifiedAt } = await this.#read(url, options);
      const file = { url, content: async () => data, lastModifiedAt };
      return { files: [file], etag };
    } catch (error) {
      if (error instanceof Error && error.name === 'NotFoundError') {
        return { files: [], etag: '' };
      }
      throw error;
    }
  };

  /** Reads a whole repository without limits; used only for discovery, which operators configure. */
  readonly readTree: UrlReaderService['readTree'] = (url, options) =>
    this.#reader.readTree(url, options);

  /** Reads a file within the limits. @throws InputError if it exceeds them; NotModifiedError if unchanged. */
  async #read(url: string, options: UrlReaderServiceReadUrlOptions = {}) {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    // Aborts pending requests once enough is read; destroying the stream does not.
    const enough = new AbortController();
    const signal = AbortSignal.any([
      timeout,
      enough.signal,
      ...(options.signal ? [options.signal] : []),
    ]);
    try {
      const answer = await withinTime(
        this.#reader.readUrl(url, { ...options, signal }),
        signal,
      );
      const stream =
        answer.stream?.() ?? Readable.from([await answer.buffer()]);
      const data = await readWithin(stream, { maxBytes: MAX_BYTES, signal });
      if (!data) {
        throw new InputError(`${url} is larger than ${MAX_BYTES} bytes`);
      }
      const etag = answer.etag ?? digest(data);
      if (etag === options.etag) {
        throw new NotModifiedError();
      }
      return { data, etag, lastModifiedAt: answer.lastModifiedAt };
    } catch (error) {
      if (timeout.aborted) {
        throw new InputError(
          `${url} was not read within ${TIMEOUT_MS / 1_000} s`,
        );
      }
      throw error;
    } finally {
      enough.abort();
    }
  }
}

/** Enforces the time limit, because not every reader respects the signal. */
async function withinTime<T>(
  answer: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const over = new AbortController();
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), {
      once: true,
      signal: over.signal,
    });
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    over.abort();
  }
}

/** Returns an etag for servers that send none, so that an unchanged file is not parsed again. */
function digest(data: Buffer): string {
  return `"${createHash('sha256').update(data).digest('base64url')}"`;
}

/** Integrations of object stores, which are read with the vendor's library and its signatures. */
const OBJECT_STORES: ReadonlySet<string> = new Set([
  'awsCodeCommit',
  'awsS3',
  'azureBlobStorage',
  'googleGcs',
]);

const listedHosts: ReaderFactory = ({ config }) => {
  const integrations = ScmIntegrations.fromConfig(config);
  const rules = new ReadingRules(config);
  return [
    {
      reader: new GuardedUrlReader(new GuardedFetch({ rules })),
      predicate: url =>
        rules.judge(url) !== 'refused' &&
        !OBJECT_STORES.has(integrations.byUrl(url)?.type ?? ''),
    },
  ];
};

/**
 * Provides Backstage's URL reader to all plugins, with limits and address rules: a {@link
 * BoundedUrlReader} around Backstage's readers of {@link forges} and object stores, and {@link
 * GuardedUrlReader} for all other hosts.
 */
export const boundedUrlReaderFactory = createServiceFactory({
  service: coreServices.urlReader,
  deps: {
    config: coreServices.rootConfig,
    factories: urlReaderFactoriesServiceRef,
    logger: coreServices.logger,
  },
  async factory({ config, factories, logger }) {
    return new BoundedUrlReader({
      reader: UrlReaders.default({
        config,
        logger,
        factories: [...factories, forges, listedHosts],
      }),
      patterns: new Set(configuredTargets(config)),
    });
  },
});

function configuredTargets(config: Config): string[] {
  const locations = config.getOptionalConfigArray('catalog.locations') ?? [];
  return locations.map(location => location.getString('target'));
}
