import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { GIT_REVISION } from '../chooseProjects';
import { quote } from '../issue';
import {
  AnsweredError,
  DevfileFetch,
  readDevfileRules,
  toReadError,
} from '../read/DevfileFetch';
import { DevfileReader } from '../read/DevfileReader';
import { SourceRepository } from '../sourceProject';
import {
  fileAddress,
  FileRef,
  FORGE_KINDS,
  ForgeKind,
  parseRepositoryLink,
  RepositoryLink,
} from './repositoryLink';
import { GitRefReader, RefReader, RepositoryRefs } from './RefReader';

/** A repository that was found, and its devfile. */
export interface FoundRepository extends SourceRepository {
  /** Address of its page. */
  page: string;
  /** True if only the portal's credentials can read it, which git in a workspace does not have. */
  isPrivate: boolean;
  /** Undefined if there is none in its root. */
  devfile: { file: string; url: URL; text: string } | undefined;
}

/** The names of devfiles in the root of a repository, the preferred one first. */
const DEVFILES = ['devfile.yaml', '.devfile.yaml'] as const;

/** Tried in this order on a server of unknown kind. */
const SELF_HOSTED: readonly ForgeKind[] = ['gitlab', 'gitea', 'github'];

const COMMIT = /^[0-9a-f]{7,64}$/;

/** Finds repositories by the addresses of their pages and branches, and reads their devfiles. */
export class RepositoryReader {
  readonly #reader: Pick<DevfileReader, 'read' | 'integrationAt'>;
  readonly #refs: RefReader;

  constructor(options: {
    reader: Pick<DevfileReader, 'read' | 'integrationAt'>;
    refs: RefReader;
  }) {
    this.#reader = options.reader;
    this.#refs = options.refs;
  }

  /** Creates a reader that may reach what the configuration allows. */
  static fromConfig(
    config: Config,
    reader: Pick<DevfileReader, 'read' | 'integrationAt'>,
  ): RepositoryReader {
    const rules = readDevfileRules(config);
    const fetch = new DevfileFetch({ rules });
    return new RepositoryReader({
      reader,
      refs: new GitRefReader({ rules, fetch }),
    });
  }

  /**
   * Finds the repository at an address.
   *
   * @param options - `revision` is used instead of the branch, tag or commit in the address.
   * @returns undefined if the address is not that of a repository.
   * @throws InputError if the host is not allowed, or the repository or the branch is not found.
   */
  async find(
    url: URL,
    options: { revision?: string | null; signal: AbortSignal },
  ): Promise<FoundRepository | undefined> {
    const integration = this.#reader.integrationAt(url);
    const link = parseRepositoryLink(
      url,
      FORGE_KINDS.find(kind => kind === integration),
    );
    if (!link) {
      return undefined;
    }
    const refs = await this.#readRefs(link, options.signal);
    if (!refs && isUncertain(link)) {
      return undefined;
    }
    const ref = refs
      ? resolveRef(link, refs, options.revision)
      : unverifiedRef(options.revision ?? link.ref);
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
    signal: AbortSignal,
  ): Promise<RepositoryRefs | undefined> {
    try {
      return await this.#refs.read(link.remote, signal);
    } catch (error) {
      if (signal.aborted) {
        throw new InputError(`${link.remote.host} did not answer in time`);
      }
      if (isUncertain(link)) {
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
    const ref = inOneSegment(options.ref, refs);
    for (const forge of link.forge ? [link.forge] : SELF_HOSTED) {
      for (const file of DEVFILES) {
        const url = fileAddress(link, file, {
          forge,
          ref,
          isRaw: !this.#reader.integrationAt(link.remote),
        });
        const text = await this.#readIfPresent(url, {
          signal,
          mayBePrivate: !refs,
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
    { mayBePrivate, signal }: { mayBePrivate: boolean; signal: AbortSignal },
  ): Promise<string | undefined> {
    try {
      const text = await this.#reader.read(url, { signal });
      // Some servers answer with a page, such as that for signing in.
      return /^\s*</.test(text) ? undefined : text;
    } catch (error) {
      const missing = mayBePrivate ? [401, 403, 404] : [404];
      if (error instanceof AnsweredError && missing.includes(error.answered)) {
        return undefined;
      }
      throw error;
    }
  }
}

/** Returns whether a link may also be something else: on a server of unknown kind, without git's suffix. */
function isUncertain({ forge, remote }: RepositoryLink): boolean {
  return forge === undefined && !remote.pathname.endsWith('.git');
}

/**
 * Returns the branch, tag or commit of a link, which may name a folder after it; undefined for the
 * default branch.
 */
function resolveRef(
  link: RepositoryLink,
  refs: RepositoryRefs,
  revision: string | null | undefined,
): FileRef | undefined {
  const wanted = revision ?? link.ref;
  if (wanted === undefined) {
    return undefined;
  }
  const parts = wanted.split('/');
  const shortest = revision ? parts.length : 1;
  for (let length = parts.length; length >= shortest; length -= 1) {
    const name = parts.slice(0, length).join('/');
    if (refs.branches.has(name)) {
      return usable({ type: 'branch', name });
    }
    if (refs.tags.has(name)) {
      return usable({ type: 'tag', name });
    }
  }
  const commit = parts.slice(0, shortest).join('/');
  if (COMMIT.test(commit)) {
    return { type: 'commit', name: commit };
  }
  if (refs.isComplete) {
    throw new InputError(
      `${revision ? 'revision: ' : ''}${link.page} has no branch, tag or commit ${quote(wanted)}`,
    );
  }
  return unverifiedRef(wanted);
}

function unverifiedRef(name: string | undefined): FileRef | undefined {
  if (name === undefined) {
    return undefined;
  }
  return usable({ type: COMMIT.test(name) ? 'commit' : 'branch', name });
}

/** @throws InputError for a name that is not safe to pass to git. */
function usable(ref: FileRef): FileRef {
  if (!GIT_REVISION.test(ref.name)) {
    throw new InputError(
      `the name of the branch or tag ${quote(ref.name)} is not supported: it may have letters, digits and ./+@_-`,
    );
  }
  return ref;
}

function branchOf(name: string | undefined): FileRef | undefined {
  return name === undefined ? undefined : { type: 'branch', name };
}

/** Returns the commit instead of a branch or tag with a slash, which readers cannot tell from a folder. */
function inOneSegment(
  ref: FileRef | undefined,
  refs: RepositoryRefs | undefined,
): FileRef | undefined {
  const commit =
    ref && (refs?.branches.get(ref.name) ?? refs?.tags.get(ref.name));
  return ref?.name.includes('/') && commit
    ? { type: 'commit', name: commit }
    : ref;
}

function notFound({ page, remote }: RepositoryLink): InputError {
  return new InputError(
    `cannot read the repository ${page}: it does not exist, or it is private. ` +
      `A private repository needs a devfile in its root, and a token for ${remote.host} under integrations`,
  );
}
