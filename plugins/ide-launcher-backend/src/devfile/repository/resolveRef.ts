import { InputError } from '@backstage/errors';
import { GIT_REVISION } from '../chooseProjects';
import { quote } from '../issue';
import { RepositoryRefs } from './RefReader';
import { FileRef, RepositoryLink } from './repositoryLink';

/** The default branch, and a folder in it. */
const HEAD = /^HEAD(?:\/|$)/;

const COMMIT = /^[0-9a-f]{7,64}$/;

/**
 * Returns the branch, tag or commit of a link, which may name a folder after it; undefined for the
 * default branch.
 *
 * @param refs - The branches and tags among which it must be; undefined if they cannot be read.
 * @param revision - Used instead of what the link names.
 * @throws InputError if there is none of that name, or its name is not supported.
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

/** @throws InputError for a name that is not safe to pass to git. */
function usable(ref: FileRef): FileRef {
  if (!GIT_REVISION.test(ref.name)) {
    throw new InputError(
      `the name of the branch or tag ${quote(ref.name)} is not supported: it may have letters, digits and ./+@_-`,
    );
  }
  return ref;
}

/** Returns the commit instead of a branch or tag with a slash, which readers cannot tell from a folder. */
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
