import { InputError } from '@backstage/errors';
import { DevfileIssue } from '@slipway/plugin-ide-launcher-common';
import { parseDevfileUrl } from '../address';
import {
  deadline,
  demandDevfile,
  DevfileInspection,
  DevfileLoader,
  DevfileTextReader,
  LoadedDevfile,
  unreadable,
} from '../DevfileLoader';
import { formatIssue } from '../issue';
import { MergedDevfile } from '../schema/devfile';
import { Devfile } from '../types';
import {
  forRepository,
  includesRepository,
  withRepository,
} from './repositoryProject';
import { FoundRepository, RepositoryReader } from './RepositoryReader';

/** A repository with the devfile that its workspaces use. */
interface LoadedRepository extends LoadedDevfile {
  repository: FoundRepository;
  /** Address of the devfile; the given address of the repository if the built-in devfile is used. */
  devfileUrl: string;
}

/** The result of an attempt to load a repository. */
export interface RepositoryInspection extends DevfileInspection {
  repository: FoundRepository;
  devfileUrl: string;
}

/** The devfile for repositories without one, unless another is configured: only an editor and the files. */
const BUILT_IN = 'schemaVersion: 2.2.2\n';

/** Loads the devfile of a repository: its own, or else the default one. */
export class RepositoryLoader {
  readonly #devfiles: DevfileLoader;
  readonly #reader: DevfileTextReader;
  readonly #repositories: RepositoryReader;
  readonly #defaultUrl: string | null;

  constructor(options: {
    devfiles: DevfileLoader;
    reader: DevfileTextReader;
    repositories: RepositoryReader;
    /** Address of the default devfile, for repositories without one; null for the built-in devfile. */
    defaultUrl: string | null;
  }) {
    this.#devfiles = options.devfiles;
    this.#reader = options.reader;
    this.#repositories = options.repositories;
    this.#defaultUrl = options.defaultUrl;
  }

  /**
   * Loads the devfile of a repository.
   *
   * @throws InputError if the address does not name a repository, the repository or the revision is not
   * found, or the devfile is invalid.
   */
  async load(choice: {
    /** Address of the repository, or of a branch, tag or commit in it. */
    repositoryUrl: string;
    /** Branch, tag or commit; takes precedence over the one in the address. */
    revision?: string | null;
  }): Promise<LoadedRepository> {
    const url = parseDevfileUrl(choice.repositoryUrl, 'repositoryUrl');
    const found = await this.#inspect(url, {
      revision: choice.revision,
      isRepository: true,
    });
    if (!found) {
      throw new InputError(
        'repositoryUrl must be the address of a Git repository, or of a branch of it',
      );
    }
    const { repository } = found;
    const isBuiltIn = !repository.devfile && this.#defaultUrl === null;
    const devfileUrl = isBuiltIn ? choice.repositoryUrl : found.devfileUrl;
    return { ...demandDevfile(found), devfileUrl, repository };
  }

  /**
   * Loads the repository or the devfile at an address for a preview: returns every mistake of the caller
   * as an issue.
   *
   * @throws the signal's reason if it aborts.
   */
  async inspect(
    request: { devfileUrl: string; revision?: string },
    signal?: AbortSignal,
  ): Promise<RepositoryInspection | DevfileInspection> {
    const { devfileUrl, revision } = request;
    try {
      const found = await this.#inspect(parseDevfileUrl(devfileUrl), {
        revision,
        isRepository: false,
        signal,
      });
      return found ?? (await this.#devfiles.inspect(devfileUrl, signal));
    } catch (error) {
      signal?.throwIfAborted();
      return unreadable(error);
    }
  }

  async #inspect(
    url: URL,
    options: {
      revision: string | null | undefined;
      isRepository: boolean;
      signal?: AbortSignal;
    },
  ): Promise<RepositoryInspection | undefined> {
    const signal = deadline(this.#reader, options.signal);
    const repository = await this.#repositories.find(url, {
      ...options,
      signal,
    });
    if (!repository) {
      return undefined;
    }
    const file = await this.#devfileOf(repository, signal);
    const inspection = await this.#devfiles.inspectText(file, signal);
    if (!repository.devfile && !inspection.devfile) {
      throw defaultUnusable(inspection.issues.map(formatIssue).join('; '));
    }
    return {
      ...inspection,
      warnings: [
        ...inspection.warnings,
        ...warningsAbout(repository, inspection.devfile),
      ],
      repository,
      devfileUrl: file.url.href,
    };
  }

  async #devfileOf(repository: FoundRepository, signal: AbortSignal) {
    if (repository.devfile) {
      const complete = (devfile: MergedDevfile) =>
        withRepository(devfile, repository);
      return { ...repository.devfile, complete };
    }
    const complete = (devfile: MergedDevfile) =>
      forRepository(devfile, repository);
    if (this.#defaultUrl === null) {
      return { text: BUILT_IN, url: new URL(repository.page), complete };
    }
    try {
      const url = parseDevfileUrl(
        this.#defaultUrl,
        'ideLauncher.devfile.defaultUrl',
      );
      return { text: await this.#reader.read(url, { signal }), url, complete };
    } catch (error) {
      throw error instanceof InputError
        ? defaultUnusable(error.message)
        : error;
    }
  }
}

/** Creates the error for an unusable default devfile, worded for users to pass on to the operator. */
function defaultUnusable(reason: string): InputError {
  return new InputError(
    `the repository has no devfile, and the default devfile cannot be used: ${reason}`,
  );
}

/** Returns the warning that the repository is not cloned, or needs the user's own credentials. */
function warningsAbout(
  repository: FoundRepository,
  devfile: Devfile | null,
): DevfileIssue[] {
  const { isPrivate, page } = repository;
  if (devfile && !includesRepository(devfile, repository)) {
    return [
      warning(`${page} is not a project of its devfile: it is not cloned`),
    ];
  }
  return isPrivate
    ? [
        warning(
          `${page} is private: git in the workspace can only fetch it with credentials of your own`,
        ),
      ]
    : [];
}

function warning(message: string): DevfileIssue {
  return { path: '', message };
}
