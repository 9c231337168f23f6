/** A user name and a password or token of a forge. */
export interface GitCredentials {
  username: string;
  password: string;
}

/** An address of a repository without what gives access to it, which is told apart. */
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
    // The user name of ssh is a part of the address.
    return { repository: address };
  }
  const credentials = {
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
  url.password = '';
  if (isHttp) {
    url.username = '';
  }
  return { repository: url.href, credentials };
}

/** What nobody may see of credentials: a token may stand where the user name does. */
export function secretOf({ username, password }: GitCredentials): string {
  return password === '' ? username : password;
}

/** The path of an address, as forges name repositories: `shop/payments-api`. */
export function repositoryName(address: string): string {
  const path = URL.canParse(address) ? new URL(address).pathname : address;
  const names = path.split('/').filter(Boolean);
  return names.join('/').replace(/\.git$/, '');
}
