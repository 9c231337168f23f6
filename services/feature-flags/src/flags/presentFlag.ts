import type { Flag } from './Flag.ts';

/** Of lists of flags, to clients and to admins: 2 is what current SDKs expect. */
export const LIST_VERSION = 2;

/** A flag as the admin API answers it. */
export function presentFlag(flag: Flag) {
  const { createdAt, updatedAt, archivedAt, ...rest } = flag;
  return {
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    archived: archivedAt !== null,
  };
}
