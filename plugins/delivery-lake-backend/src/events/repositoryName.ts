/** `git@host:owner/name.git`, an address that is not a URL. */
const SCP_ADDRESS = /^[^/\s@]+@[^/\s:]+:(?!\/\/)(.+)$/;
/**
 * Maximum length of an address. No real one is longer, and regular expressions are slow on long
 * texts.
 */
const ADDRESS_LIMIT = 2_048;
/** Matches where the path of a file or folder begins within a repository's URL. */
const INSIDE = /\/-(\/|$)|\/(tree|blob|src|raw|edit|browse)\//;

function pathOf(address: string): string | undefined {
  if (address.length > ADDRESS_LIMIT) {
    return undefined;
  }
  const scp = SCP_ADDRESS.exec(address);
  if (scp) {
    return scp[1];
  }
  if (!address.includes('://')) {
    return address;
  }
  return URL.canParse(address) ? decode(new URL(address).pathname) : undefined;
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns the name of the repository that an address belongs to, as the forge knows it:
 * `owner/name`, including nested groups.
 *
 * @param address - a clone URL, a page or folder in the repository, or its name.
 * @returns undefined if it does not contain a repository.
 */
export function repositoryName(address: string): string | undefined {
  const path = pathOf(address.trim())?.replace(/^\/+/, '');
  const inside = path?.search(INSIDE) ?? -1;
  const name = withoutSlashes(
    (inside > 0 ? path?.slice(0, inside) : path) ?? '',
  ).replace(/\.git$/, '');
  return name.includes('/') && !/\s/.test(name) ? name : undefined;
}

/** Removes trailing slashes in linear time. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') {
    end -= 1;
  }
  return path.slice(0, end);
}
