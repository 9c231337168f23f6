import { lookup } from 'node:dns/promises';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import { InputError } from '@backstage/errors';
import { AddressRules, isPrivateAddress } from '@slipway/platform-guards';
import { GIT_REVISION } from '../../../devfile/chooseProjects';
import { DevfileFetch } from '../../../devfile/DevfileReader';
import { DevfileProject } from '../../../devfile/types';
import { folderSize, placeProject } from '../files/ownFiles';
import { LocalRuntimeLimits } from '../options';
import { ProgramRunner } from '../process/programs';

type GitProject = Extract<DevfileProject, { type: 'git' }>;

/** Matches texts that are safe as the name of a git remote. */
const REMOTE_NAME = /^[A-Za-z0-9][\w.-]{0,62}$/;

/** Parameters of a clone. */
export interface CloneRequest {
  project: GitProject;
  /** Final folder of the project. */
  folder: string;
  /** Folder of the incomplete clone, on the same file system. */
  incoming: string;
  /** The complete environment of git, see `gitEnvironment`. */
  env: Record<string, string>;
  /** Runs git. */
  run: ProgramRunner;
  guard: GitGuard;
  limits: Pick<LocalRuntimeLimits, 'cloneTimeoutMs' | 'cloneMaxBytes'>;
  signal: AbortSignal;
  onLine(line: string): void;
  /** Called with 0 to 1 while objects are received. */
  onProgress(fraction: number): void;
}

/**
 * Clones a project and checks out its revision. The project appears in its folder completely or
 * not at all.
 *
 * @returns null on success, otherwise the reason, as the end of a sentence.
 * @throws the signal's reason when it aborts.
 */
export async function cloneProject(
  request: CloneRequest,
): Promise<string | null> {
  const { project, folder, incoming } = request;
  const fault = requestFault(project);
  if (fault) {
    return fault;
  }
  const remote = await request.guard.admit(project.remote.url, request.signal);
  if (typeof remote === 'string') {
    return remote;
  }
  const draft = path.join(incoming, project.name);
  await rm(draft, { recursive: true, force: true });
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  try {
    return (
      (await runGitSteps(request, remote, draft)) ??
      (await placeProject({ draft, subDir: project.subDir, folder }))
    );
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Returns the environment of git: no prompt, no protocol but https, no user or system configuration. */
export function gitEnvironment(options: {
  path: string;
  home: string;
  caFile?: string;
  extra: Record<string, string>;
}): Record<string, string> {
  return {
    ...options.extra,
    PATH: options.path,
    HOME: options.home,
    LANG: 'C.UTF-8',
    GIT_ALLOW_PROTOCOL: 'https',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...(options.caFile ? { GIT_SSL_CAINFO: options.caFile } : {}),
  };
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

function requestFault({ name, remote, revision }: GitProject): string | null {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/i.test(name)) {
    return 'its name is not usable as a folder';
  }
  if (!REMOTE_NAME.test(remote.name)) {
    return `the remote's name ${JSON.stringify(remote.name)} is not usable`;
  }
  if (revision !== null && !GIT_REVISION.test(revision)) {
    return `the revision ${JSON.stringify(revision)} is not usable`;
  }
  return projectUrlFault(remote.url);
}

async function runGitSteps(
  request: CloneRequest,
  remote: GuardedRemote,
  draft: string,
) {
  const { project } = request;
  const steps = [
    [
      ...remote.config.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      'clone',
      '--progress',
      '--template=',
      '--no-recurse-submodules',
      ...(project.revision ? ['--no-checkout'] : []),
      '--origin',
      project.remote.name,
      '--',
      remote.url,
      draft,
    ],
    ...(project.revision
      ? [['-C', draft, 'checkout', project.revision, '--']]
      : []),
    ...project.otherRemotes
      .filter(
        ({ name, url }) => REMOTE_NAME.test(name) && !projectUrlFault(url),
      )
      .map(({ name, url }) => ['-C', draft, 'remote', 'add', '--', name, url]),
  ];
  // One deadline for all steps: the limit applies to the project, not to a step.
  const deadline = Date.now() + request.limits.cloneTimeoutMs;
  for (const args of steps) {
    const failure = await runGit(request, args, draft, deadline - Date.now());
    if (failure) {
      return failure;
    }
  }
  return sizeFault(request, draft);
}

async function runGit(
  request: CloneRequest,
  args: string[],
  draft: string,
  timeoutMs: number,
): Promise<string | null> {
  let complaint: string | null = null;
  const failure = await request.run({
    command: ['git', '-c', 'core.hooksPath=/dev/null', ...args],
    cwd: request.incoming,
    env: request.env,
    timeoutMs: Math.max(1, timeoutMs),
    signal: request.signal,
    check: () => sizeFault(request, draft),
    onLine: line => {
      const percent = /^Receiving objects:\s+(\d+)%/.exec(line);
      if (percent) {
        request.onProgress(Number(percent[1]) / 100);
      } else if (!/^[A-Z][\w ]+:\s+\d+%|^remote: /.test(line)) {
        complaint = /^(fatal|error): (.*)$/.exec(line)?.[2] ?? complaint;
        request.onLine(line);
      }
    },
  });
  return failure?.startsWith('it ended with') && complaint
    ? complaint
    : failure;
}

async function sizeFault({ limits }: CloneRequest, draft: string) {
  const size = await folderSize(draft, limits.cloneMaxBytes);
  return size > limits.cloneMaxBytes
    ? `it is larger than ${Math.round(limits.cloneMaxBytes / 1024 ** 2)} MiB`
    : null;
}

/** Returns why a project's URL is not allowed; null if it is. */
export function projectUrlFault(address: string): string | null {
  if (!URL.canParse(address)) {
    return 'its address is not an https URL';
  }
  const { password, protocol, username } = new URL(address);
  if (protocol !== 'https:') {
    return `only https addresses are supported, not ${protocol.slice(0, -1)}`;
  }
  return username || password ? 'its address contains credentials' : null;
}

const DISCOVERY = '/info/refs?service=git-upload-pack';
const DISCOVERY_TIMEOUT_MS = 10_000;

/** Rules for cloning a repository with git. */
interface GuardedRemote {
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
 * Enforces the address rules of devfiles for git. Since git would resolve names and follow redirects
 * unchecked, this class makes git's first request itself and checks every redirect. Git then gets the
 * final URL, may not follow further redirects, and for an unlisted host must use the IP addresses that
 * were checked.
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
