import { AuthService } from '@backstage/backend-plugin-api';
import { InputError, ResponseError } from '@backstage/errors';
import { CatalogService } from '@backstage/plugin-catalog-node';
import pLimit, { type LimitFunction } from 'p-limit';
import { describeFailure } from './describeFailure';
import { FileTargets } from './FileTargets';
import { LocationRequest } from './schemas';

const MAX_CONCURRENT = 4;
const MAX_QUEUED = 100;

/** Thrown if too many reads of the caller are waiting; becomes 429. */
class TooManyReadsError extends Error {
  readonly name = 'TooManyReadsError';
  readonly statusCode = 429;

  constructor() {
    super('Too many of your descriptors are being read; try again later');
  }
}

/**
 * Limits the number of concurrent reads per caller. Further ones wait, or are rejected if a hundred are
 * already waiting.
 */
class ReadLimiter {
  readonly #turns = new Map<string, LimitFunction>();

  /** Runs a read at the caller's turn. @throws TooManyReadsError if too many of the caller's are waiting. */
  async run<T>(caller: string, read: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(caller) ?? pLimit(MAX_CONCURRENT);
    this.#turns.set(caller, turn);
    if (turn.pendingCount >= MAX_QUEUED) {
      throw new TooManyReadsError();
    }
    try {
      return await turn(read);
    } finally {
      if (turn.activeCount + turn.pendingCount === 0) {
        this.#turns.delete(caller);
      }
    }
  }
}

/** The entities of a descriptor: the catalog's response to a dry run of its registration. */
export type Descriptor = Awaited<ReturnType<CatalogService['addLocation']>>;

/** Dependencies of {@link DescriptorReader}. */
interface DescriptorReaderOptions {
  auth: AuthService;
  catalog: CatalogService;
  files: FileTargets;
  timeoutMs: number;
}

/**
 * Lets the catalog read a descriptor and everything that it refers to, and validate all
 * entities, without storing anything.
 */
export class DescriptorReader {
  readonly #limiter = new ReadLimiter();
  readonly #options: DescriptorReaderOptions;

  constructor(options: DescriptorReaderOptions) {
    this.#options = options;
  }

  /**
   * Reads a descriptor. Uses the catalog's own credentials, because a restricted service token cannot be
   * passed on, so check first that the caller may register locations.
   *
   * @param caller - identifies the caller, whose concurrent reads are limited.
   * @throws InputError describing what cannot be read or which field is invalid.
   */
  read(location: LocationRequest, caller: string): Promise<Descriptor> {
    return this.#limiter.run(caller, () => this.#read(location));
  }

  async #read(location: LocationRequest): Promise<Descriptor> {
    const credentials = await this.#options.auth.getOwnServiceCredentials();
    const answer = this.#options.catalog.addLocation(
      { ...location, dryRun: true },
      { credentials },
    );
    try {
      return await this.#withinTime(answer);
    } catch (error) {
      if (error instanceof ResponseError && error.statusCode < 500) {
        throw new InputError(
          this.#options.files.shorten(describeFailure(error.cause.message)),
        );
      }
      throw error;
    }
  }

  async #withinTime<T>(answer: Promise<T>): Promise<T> {
    const { timeoutMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const reason = `it took more than ${timeoutMs / 1_000} s`;
        reject(new InputError(`The descriptor cannot be read: ${reason}`));
      }, timeoutMs);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
