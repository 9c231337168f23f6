/** A user name and a password or token of a forge. */
export interface GitCredentials {
  username: string;
  password: string;
}

/** Splits the credentials from the address of a repository. */
export function splitCredentials(address: string): {
  repository: string;
  credentials?: GitCredentials;
} {
  const url = URL.parse(address);
  if (!url || (url.username === '' && url.password === '')) {
    return { repository: address };
  }
  const isHttp = /^https?:$/.test(url.protocol);
  if (!isHttp && url.password === '') {
    // The user name of ssh is part of the address.
    return { repository: address };
  }
  const credentials = {
    username: decoded(url.username),
    password: decoded(url.password),
  };
  url.password = '';
  if (isHttp) {
    url.username = '';
  }
  return { repository: url.href, credentials };
}

/** Decodes a part of an address; returns it unchanged if it contains a `%` that encodes nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the secret part of credentials: a token may be given as the user name. */
export function secretOf({ username, password }: GitCredentials): string {
  return password === '' ? username : password;
}

/** Returns the address of another repository at the same host. @param name - its full name. */
export function addressAt(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}.git`;
  return url.href;
}

/** Returns the repository name in an address, as forges use it: `shop/payments-api`. */
export function repositoryName(address: string): string {
  const path = URL.canParse(address) ? new URL(address).pathname : address;
  const names = path.split('/').filter(Boolean);
  return names.join('/').replace(/\.git$/, '');
}

const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Branches and tags, and the refs at which forges publish the heads of pull and merge requests. */
const REF =
  /^refs\/(?:heads|tags|pull|merge-requests|pull-requests)\/[^\p{Cc} ~^:?*[\\]+$/u;
/** The patterns that `git check-ref-format` rejects, besides single characters. */
const NO_REF = /\.\.|@\{|\/\/|\/\.|[./]$|\.lock(?:\/|$)/;
const MAX_REF = 500;

/** Checks that a commit id is safe as an argument of git. */
export function isCommit(text: string | undefined): text is string {
  return text !== undefined && SHA.test(text);
}

/** Checks that a ref is safe as an argument of git. */
export function isRef(text: string): boolean {
  return text.length <= MAX_REF && REF.test(text) && !NO_REF.test(text);
}
