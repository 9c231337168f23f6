import type { GitCredentials } from '../jobs/repository.ts';

/** Git without hooks: what is cloned may contain them. */
export const GIT = ['git', '-c', 'core.hooksPath=/dev/null'];

/** A repository, and how git reaches it. */
export interface GitAccess {
  /** The address of the repository, without a password. */
  repository: string;
  /** Credentials, sent only to the host of the repository. */
  credentials?: GitCredentials;
  /** The `known_hosts` lines of a repository over ssh, whose credentials are a private key. */
  knownHosts?: string;
  /** Protocols that git may use. */
  protocols: readonly string[];
  caFile?: string;
}

/** Returns the variables of git: no prompt, no user configuration, no protocol that runs programs. */
export function gitEnvironment(
  access: GitAccess,
  { withCredentials }: { withCredentials: boolean },
): Record<string, string> {
  const { protocols, caFile } = access;
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ALLOW_PROTOCOL: protocols.join(':'),
    ...(caFile && { GIT_SSL_CAINFO: caFile }),
    ...(withCredentials && credentialEnvironment(access)),
  };
}

/**
 * Runs ssh with a single key, without user configuration, and only to known hosts. Git
 * appends its arguments.
 */
const SSH = `f() {
  umask 077
  d=$(mktemp -d) || exit 1
  trap 'rm -rf "$d"' EXIT
  printf '%s\\n' "$SLIPWAY_SSH_KEY" > "$d/key"
  printf '%s\\n' "$SLIPWAY_SSH_HOSTS" > "$d/hosts"
  ssh -F /dev/null -i "$d/key" -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=yes -o UserKnownHostsFile="$d/hosts" -o GlobalKnownHostsFile=/dev/null "$@"
}; f`;

/**
 * Passes the user name and password through the environment of git only: arguments are
 * visible to every process, and `.git/config` to the steps.
 */
function credentialEnvironment({
  repository,
  credentials,
  knownHosts,
}: GitAccess): Record<string, string> {
  if (!credentials || !URL.canParse(repository)) {
    return {};
  }
  const { protocol, host } = new URL(repository);
  if (protocol === 'ssh:') {
    return {
      GIT_SSH_COMMAND: SSH,
      SLIPWAY_SSH_KEY: credentials.password,
      SLIPWAY_SSH_HOSTS: knownHosts ?? '',
    };
  }
  const helper =
    '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$SLIPWAY_GIT_USERNAME" "$SLIPWAY_GIT_PASSWORD"; }; f';
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `credential.${protocol}//${host}.helper`,
    GIT_CONFIG_VALUE_0: helper,
    SLIPWAY_GIT_USERNAME: credentials.username,
    SLIPWAY_GIT_PASSWORD: credentials.password,
  };
}
