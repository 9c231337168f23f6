import { LoggerService } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { InputError, stringifyError } from '@backstage/errors';
import { SourceRepository } from '../address';
import {
  AnsweredError,
  DevfileFetch,
  DevfileReader,
  readDevfileRules,
  toReadError,
} from '../DevfileReader';
import {
  fileAddress,
  FileRef,
  FORGE_KINDS,
  ForgeKind,
  parseRepositoryLink,
  RepositoryLink,
} from './repositoryLink';
import { RefReader, RepositoryRefs } from './RefReader';
import { inOneSegment, resolveRef } from './resolveRef';

/** A repository found at an address, and its devfile. */
export interface FoundRepository extends SourceRepository {
  /** Address of its page. */
  page: string;
  /** True if it is readable only with the portal's credentials, which git in a workspace does not have. */
  isPrivate: boolean;
  /** The devfile in its root; undefined if there is none. */
  devfile: { file: string; url: URL; text: string } | undefined;
}

/** The names of devfiles in the root of a repository, the preferred one first. */
const DEVFILES = ['devfile.yaml', '.devfile.yaml'] as const;

/** The kinds of forge to try, in this order, on a server of unknown kind. */
const SELF_HOSTED: readonly ForgeKind[] = ['gitlab', 'gitea', 'github'];

/** Forges with the branch of a file in the query. In a path, its slashes would look like folders. */
const REFS_IN_QUERY: ReadonlySet<ForgeKind> = new Set([
  'azure',
  'bitbucketServer',
]);

/** Statuses for a file that is missing or private, or whose kind of address the server does not know. */
const UNREADABLE: readonly number[] = [400, 401, 403, 404, 405, 410];

/** Finds repositories by the addresses of their pages and branches, and reads their devfiles. */
export class RepositoryReader {
  readonly #reader: Pick<DevfileReader, 'read' | 'integrationAt'>;
  readonly #refs: Pick<RefReader, 'read'>;
  readonly #logger?: Pick<LoggerService, 'debug'>;

  constructor(options: {
    reader: Pick<DevfileReader, 'read' | 'integrationAt'>;
    refs: Pick<RefReader, 'read'>;
    /** Receives the underlying errors, which callers must not see. */
    logger?: Pick<LoggerService, 'debug'>;
  }) {
    this.#reader = options.reader;
    this.#refs = options.refs;
    this.#logger = options.logger;
  }

  /** Creates a reader that may reach the hosts allowed by the configuration. */
  static fromConfig(
    config: Config,
    options: {
      reader: Pick<DevfileReader, 'read' | 'integrationAt'>;
      logger: LoggerService;
    },
  ): RepositoryReader {
    const rules = readDevfileRules(config);
    const fetch = new DevfileFetch({ rules });
    return new RepositoryReader({
      ...options,
      refs: new RefReader({ rules, fetch }),
    });
  }

  /**
   * Finds the repository at an address.
   *
   * @param options - `revision` takes precedence over the branch, tag or commit in the address;
   * `isRepository` is true if the caller knows that the address names a repository.
   * @returns undefined if the address does not name a repository.
   * @throws InputError if the host is not allowed, or the repository or the revision is not found.
   */
  async find(
    url: URL,
    options: {
      revision?: string | null;
      isRepository: boolean;
      signal: AbortSignal;
    },
  ): Promise<FoundRepository | undefined> {
    const integration = this.#reader.integrationAt(url);
    const link = parseRepositoryLink(
      url,
      FORGE_KINDS.find(kind => kind === integration),
    );
    if (!link) {
      return undefined;
    }
    const isUncertain = !options.isRepository && mayBeOther(link);
    const refs = await this.#readRefs(link, {
      isUncertain,
      signal: options.signal,
    });
    if (!refs && isUncertain) {
      return undefined;
    }
    const ref = resolveRef(link, refs, options.revision);
    const devfile = await this.#readDevfile(link, {
      ref: ref ?? branchOf(refs?.defaultBranch),
      refs,
      signal: options.signal,
    });
    if (!refs && !devfile) {
      throw notFound(link);
    }
    return {
      remote: link.remote.href,
      name: link.name,
      page: link.page,
      revision: ref?.name,
      isPrivate: !refs,
      devfile,
    };
  }

  async #readRefs(
    link: RepositoryLink,
    { isUncertain, signal }: { isUncertain: boolean; signal: AbortSignal },
  ): Promise<RepositoryRefs | undefined> {
    try {
      return await this.#refs.read(link.remote, signal);
    } catch (error) {
      if (signal.aborted) {
        throw new InputError(`${link.remote.host} did not answer in time`);
      }
      if (!(error instanceof InputError)) {
        this.#logger?.debug(
          `Reading the branches of ${link.page} failed: ${stringifyError(error)}`,
        );
      }
      if (isUncertain) {
        return undefined;
      }
      throw toReadError(error, link.remote);
    }
  }

  async #readDevfile(
    link: RepositoryLink,
    options: {
      ref: FileRef | undefined;
      refs: RepositoryRefs | undefined;
      signal: AbortSignal;
    },
  ): Promise<FoundRepository['devfile']> {
    const { refs, signal } = options;
    const isRaw = !this.#reader.integrationAt(link.remote);
    for (const forge of link.forge ? [link.forge] : SELF_HOSTED) {
      const ref = REFS_IN_QUERY.has(forge)
        ? options.ref
        : inOneSegment(options.ref, refs);
      if (forge === 'azure' && ref?.type === 'commit') {
        throw new InputError(
          `the devfile at a commit of ${link.page} cannot be read: name a branch or a tag`,
        );
      }
      for (const file of DEVFILES) {
        const url = fileAddress(link, file, { forge, ref, isRaw });
        const text = await this.#readIfPresent(url, {
          signal,
          missing: refs && link.forge ? [404] : UNREADABLE,
        });
        if (text !== undefined) {
          return { file, url, text };
        }
      }
    }
    return undefined;
  }

  async #readIfPresent(
    url: URL,
    { missing, signal }: { missing: readonly number[]; signal: AbortSignal },
  ): Promise<string | undefined> {
    try {
      const text = await this.#reader.read(url, { signal });
      // Some servers respond with an HTML page instead, e.g. to sign in.
      return /^\s*</.test(text) ? undefined : text;
    } catch (error) {
      if (error instanceof AnsweredError && missing.includes(error.answered)) {
        return undefined;
      }
      throw error;
    }
  }
}

/** Returns whether a link may not be a repository: it has no `.git`, and its server is of unknown kind. */
function mayBeOther({ forge, remote }: RepositoryLink): boolean {
  return forge === undefined && !remote.pathname.endsWith('.git');
}

function branchOf(name: string | undefined): FileRef | undefined {
  return name === undefined ? undefined : { type: 'branch', name };
}

function notFound({ page, remote }: RepositoryLink): InputError {
  return new InputError(
    `cannot read the repository ${page}: it does not exist, or it is private. ` +
      `A private repository needs a devfile in its root, and a token for ${remote.host} under integrations`,
  );
}
