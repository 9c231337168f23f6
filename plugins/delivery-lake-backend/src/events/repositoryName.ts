/** `git@host:owner/name.git`, the address that is no URL. */
const SCP_ADDRESS = /^[^/\s@]+@[^/\s:]+:(?!\/\/)(.+)$/;
/** No address that leads anywhere is longer, and expressions take their time over it. */
const ADDRESS_LIMIT = 2_048;
/** Matches the point at which the address of a file or folder leaves that of its repository. */
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
 * The name by which forges call the repository that an address leads to:
 * `owner/name`, with all groups where they nest.
 *
 * @param address - of a clone, a page or a folder inside; or already a name.
 * @returns undefined when it leads to none.
 */
export function repositoryName(address: string): string | undefined {
  const path = pathOf(address.trim())?.replace(/^\/+/, '');
  const inside = path?.search(INSIDE) ?? -1;
  const name = withoutSlashes(
    (inside > 0 ? path?.slice(0, inside) : path) ?? '',
  ).replace(/\.git$/, '');
  return name.includes('/') && !/\s/.test(name) ? name : undefined;
}

/** Takes the slashes off the end, in linear time. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') {
    end -= 1;
  }
  return path.slice(0, end);
}
