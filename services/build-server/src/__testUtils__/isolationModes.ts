import { spawnSync } from 'node:child_process';

/** Reason why this machine cannot isolate builds; undefined if it can. */
export const isolationFault: string | undefined =
  spawnSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', 'true'])
    .status === 0
    ? undefined
    : 'bubblewrap does not work on this machine';

/** The isolation modes that work on this machine; the same suites run in each of them. */
export const isolationModes: readonly ('unsafe-none' | 'required')[] =
  isolationFault === undefined ? ['unsafe-none', 'required'] : ['unsafe-none'];
