import { repositoryName } from '../../events/repositoryName';

/** The fields of a package URL that the lake uses. */
export interface ArtifactFacts {
  version?: string;
  repository?: string;
  /** The commit from which it was built. */
  sha?: string;
}

const PURL = /^pkg:\/*([^/?#@]+)\/([^?#]+?)(?:\?([^#]*))?(?:#.*)?$/;
const SHA = /^([0-9a-f]{40}|[0-9a-f]{64})$/;
/** Package types whose name is the repository and whose version may be a commit. */
const FORGE_TYPES: ReadonlySet<string> = new Set([
  'github',
  'bitbucket',
  'gitlab',
]);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads `git+https://forge.example.org/shop/cart.git@<sha>`, SPDX's notation for download locations. */
function vcsFacts(url: string): ArtifactFacts {
  const [, address, revision] =
    /^(?:[a-z]+\+)?(.+?)(?:@([^@/]+))?$/.exec(url) ?? [];
  return {
    repository: address && repositoryName(address),
    sha: revision && SHA.test(revision) ? revision : undefined,
  };
}

/**
 * Reads a package URL (https://github.com/package-url/purl-spec):
 * `pkg:oci/cart@sha256%3A…?tag=1.4.0&vcs_url=git%2Bhttps://forge.example.org/shop/cart@<sha>`.
 * Any other text is ignored: the specification requires a package URL, but senders also
 * send names and digests.
 */
export function artifactFacts(artifactId: string | undefined): ArtifactFacts {
  const match = PURL.exec(artifactId ?? '');
  if (!match) {
    return {};
  }
  const [, type, path, query] = match;
  const qualifiers = new URLSearchParams(query ?? '');
  const at = path.lastIndexOf('@');
  const name = decode(at > 0 ? path.slice(0, at) : path);
  const version = at > 0 ? decode(path.slice(at + 1)) : undefined;
  const vcs = vcsFacts(qualifiers.get('vcs_url') ?? '');
  const isForge = FORGE_TYPES.has(type.toLocaleLowerCase('en-US'));
  const revision = qualifiers.get('revision') ?? version;
  return {
    version: qualifiers.get('tag') ?? version,
    repository: vcs.repository ?? (isForge ? repositoryName(name) : undefined),
    sha: vcs.sha ?? (revision && SHA.test(revision) ? revision : undefined),
  };
}
