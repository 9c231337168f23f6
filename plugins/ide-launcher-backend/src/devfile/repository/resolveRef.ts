import { InputError } from '@backstage/errors';
import { GIT_REVISION } from '../chooseProjects';
import { quote } from '../issue';
import { RepositoryRefs } from './RefReader';
import { FileRef, RepositoryLink } from './repositoryLink';

/** Matches the default branch, optionally followed by a folder in it. */
const HEAD = /^HEAD(?:\/|$)/;

const COMMIT = /^[0-9a-f]{7,64}$/;

/**
 * Returns the branch, tag or commit of a link, without the folder that may follow it; undefined for
 * the default branch.
 *
 * @param refs - The existing branches and tags; undefined if they cannot be read, in which case the
 * name is not verified.
 * @param revision - Takes precedence over the link's.
 * @throws InputError if the repository has none of that name, or the name is not supported.
 */
export function resolveRef(
  link: RepositoryLink,
  refs: RepositoryRefs | undefined,
  revision: string | null | undefined,
): FileRef | undefined {
  const wanted = revision ?? link.ref;
  if (wanted === undefined || HEAD.test(wanted)) {
    return undefined;
  }
  if (!refs) {
    return unverifiedRef(wanted);
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

function unverifiedRef(name: string): FileRef {
  return usable({ type: COMMIT.test(name) ? 'commit' : 'branch', name });
}

/** Returns a ref unchanged. @throws InputError if its name is not safe to pass to git. */
function usable(ref: FileRef): FileRef {
  if (!GIT_REVISION.test(ref.name)) {
    throw new InputError(
      `the name of the branch or tag ${quote(ref.name)} is not supported: it may have letters, digits and ./+@_-`,
    );
  }
  return ref;
}

/** Replaces a branch or tag with a slash, which readers cannot tell from a folder, by its commit. */
export function inOneSegment(
  ref: FileRef | undefined,
  refs: RepositoryRefs | undefined,
): FileRef | undefined {
  const commit =
    ref && (refs?.branches.get(ref.name) ?? refs?.tags.get(ref.name));
  return ref?.name.includes('/') && commit
    ? { type: 'commit', name: commit }
    : ref;
}
