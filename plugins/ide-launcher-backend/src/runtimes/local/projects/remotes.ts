import { lookup } from 'node:dns/promises';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { getCACertificates } from 'node:tls';
import { InputError } from '@backstage/errors';
import { AddressRules, isPrivateAddress } from '@slipway/platform-guards';
import { DevfileFetch } from '../../../devfile/read/DevfileFetch';

const DISCOVERY = '/info/refs?service=git-upload-pack';
const DISCOVERY_TIMEOUT_MS = 10_000;

/** Rules for cloning a repository with git. */
export interface GuardedRemote {
  /** URL after redirects. */
  url: string;
  /** Git configuration: `[name, value]`. */
  config: [string, string][];
}

/** Decides which URLs projects may be cloned from, and prevents git from connecting elsewhere. */
export interface GitGuard {
  /**
   * Returns how to clone, or why it is not allowed, as the end of a sentence.
   *
   * @throws the signal's reason when it aborts.
   */
  admit(address: string, signal: AbortSignal): Promise<GuardedRemote | string>;
}

/**
 * Enforces the address rules of devfiles for git. Git resolves names and follows redirects by
 * itself, so the first request is made here, with every redirect checked. Git then gets the
 * final URL, may not follow further redirects, and for an unlisted host must use the IP
 * addresses that were checked.
 */
export class RuledGitGuard implements GitGuard {
  readonly #rules: AddressRules;
  readonly #fetch: DevfileFetch;

  constructor(options: { rules: AddressRules; ca?: string[] }) {
    this.#rules = options.rules;
    this.#fetch = new DevfileFetch(options);
  }

  async admit(
    address: string,
    signal: AbortSignal,
  ): Promise<GuardedRemote | string> {
    const asked = new URL(address.replace(/(?<!\/)\/+$/, ''));
    if (this.#rules.judge(asked) === 'refused') {
      return `host ${asked.host} is not allowed; allowed hosts are configured under backend.reading.allow`;
    }
    try {
      const end = await this.#discover(asked, signal);
      const pinned = this.#rules.judge(end) === 'trusted' ? [] : await pin(end);
      return {
        url: end.href,
        config: [['http.followRedirects', 'false'], ...pinned],
      };
    } catch (error) {
      signal.throwIfAborted();
      return error instanceof InputError
        ? error.message
        : `${asked.host} cannot be reached`;
    }
  }

  /** Returns the repository's URL after all redirects. */
  async #discover(asked: URL, signal: AbortSignal): Promise<URL> {
    const { body, url } = await this.#fetch.get(
      new URL(asked.href + DISCOVERY),
      AbortSignal.any([signal, AbortSignal.timeout(DISCOVERY_TIMEOUT_MS)]),
    );
    body.destroy();
    const end = url.href.indexOf('/info/refs');
    return end < 0 ? asked : new URL(url.href.slice(0, end));
  }
}

/** Returns git configuration with the resolved addresses of a host, so that git does not resolve it again. */
async function pin(url: URL): Promise<[string, string][]> {
  const found = await lookup(url.hostname, { all: true });
  if (found.some(({ address }) => isPrivateAddress(address))) {
    throw new InputError(`host ${url.host} is not allowed`);
  }
  const addresses = found.map(({ address, family }) =>
    family === 6 ? `[${address}]` : address,
  );
  const entry = `${url.hostname}:${url.port || 443}:${addresses.join(',')}`;
  return [['http.curloptResolve', entry]];
}

/** A source of archives. */
export interface ArchiveSource {
  /**
   * Returns the archive's bytes, or why it cannot or must not be read, as the end of a
   * sentence.
   *
   * @throws the signal's reason when it aborts.
   */
  open(address: string, signal: AbortSignal): Promise<Readable | string>;
}

/** Reads archives according to the address rules of devfiles, with every redirect and address checked. */
export class RuledArchiveSource implements ArchiveSource {
  readonly #fetch: DevfileFetch;

  constructor(options: { rules: AddressRules; ca?: string[] }) {
    this.#fetch = new DevfileFetch(options);
  }

  async open(address: string, signal: AbortSignal): Promise<Readable | string> {
    try {
      const { body } = await this.#fetch.get(new URL(address), signal);
      return body;
    } catch (error) {
      signal.throwIfAborted();
      return error instanceof InputError
        ? error.message
        : `${new URL(address).host} cannot be reached`;
    }
  }
}

/**
 * Writes the certificate authorities for git. Git's own setting replaces the system's
 * authorities, so the file includes both those and the extra ones.
 */
export function writeGitCaBundle(extraFile: string, bundleFile: string): void {
  writeFileSync(bundleFile, `${trustedWith(extraFile).join('\n')}\n`);
  // Certificates are not secret, and workspaces may run as separate users.
  chmodSync(bundleFile, 0o644);
}

/** Returns the authorities that Node.js and the system trust, and those of a file. */
export function trustedWith(extraFile: string): string[] {
  return [
    ...new Set([
      ...getCACertificates('bundled'),
      ...getCACertificates('system'),
      readFileSync(extraFile, 'utf8'),
    ]),
  ];
}
