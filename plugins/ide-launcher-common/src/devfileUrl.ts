/**
 * Annotation of a component: the devfile of its workspaces, an https URL or a path relative to
 * the source location.
 */
export const DEVFILE_ANNOTATION = 'slipway.dev/devfile';

/** Annotations with which the catalog records the location of an entity and its source. */
const LOCATION = 'backstage.io/managed-by-location';
const SOURCE_LOCATION = 'backstage.io/source-location';

type Annotations = Readonly<Record<string, string>>;

/** Returns whether an entity has a devfile, by its annotations. */
export function hasDevfile(annotations: Annotations = {}): boolean {
  return Boolean(annotations[DEVFILE_ANNOTATION]);
}

/**
 * Returns the https URL of an entity's devfile, from its annotation. A path is resolved against the
 * folder of the entity's source location, or else of its descriptor file.
 *
 * @returns undefined if there is no annotation, nothing to resolve it against, or the result is
 * not https.
 */
export function devfileUrlOf(
  annotations: Annotations = {},
): string | undefined {
  const value = annotations[DEVFILE_ANNOTATION]?.trim();
  if (!value) {
    return undefined;
  }
  if (URL.canParse(value)) {
    return httpsOnly(new URL(value));
  }
  const base =
    urlTarget(annotations[SOURCE_LOCATION]) ?? urlTarget(annotations[LOCATION]);
  return base && httpsOnly(resolvePath(value, base));
}

/** Returns the target of a location reference `url:<address>`; undefined for other types of location. */
function urlTarget(location: string | undefined): URL | undefined {
  const target = location?.startsWith('url:') ? location.slice(4) : '';
  return URL.canParse(target) ? new URL(target) : undefined;
}

function resolvePath(path: string, base: URL): URL {
  // Azure DevOps keeps the path in the query: …/_git/repo?path=/catalog-info.yaml
  const queryPath = base.searchParams.get('path');
  if (queryPath !== null) {
    const resolved = new URL(base);
    const inner = new URL(
      relative(path),
      `https://repository${folder(queryPath)}`,
    );
    resolved.searchParams.set('path', inner.pathname);
    return resolved;
  }
  const from = new URL(base);
  from.pathname = folder(base.pathname);
  const resolved = new URL(relative(path), from);
  // Bitbucket Server keeps the branch in the query: …/browse/devfile.yaml?at=main
  resolved.search = base.search;
  resolved.pathname = asFileAddress(resolved.pathname);
  return resolved;
}

/**
 * Makes a path relative, so that one with leading slashes is also resolved against the folder, not
 * against the host's root or as another host.
 */
function relative(path: string): string {
  return `./${path.replace(/^[/\\]+/, '')}`;
}

/**
 * Returns the folder of a path, with a trailing slash: the parent of a YAML file, otherwise the
 * path itself, because source locations are folders even without the slash.
 */
function folder(path: string): string {
  if (path.endsWith('/')) {
    return path;
  }
  return /\.ya?ml$/i.test(path)
    ? path.slice(0, path.lastIndexOf('/') + 1)
    : `${path}/`;
}

/**
 * Returns a path in the form for files: GitHub and GitLab use `tree` for folders and `blob` for files,
 * and serve files only with the latter.
 */
function asFileAddress(path: string): string {
  return path.includes('/-/tree/')
    ? path.replace('/-/tree/', '/-/blob/')
    : path.replace(/^(\/[^/]+\/[^/]+)\/tree\//, '$1/blob/');
}

function httpsOnly(url: URL): string | undefined {
  return url.protocol === 'https:' ? url.toString() : undefined;
}
