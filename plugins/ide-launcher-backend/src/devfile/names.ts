import { randomInt } from 'node:crypto';

const MAX_NAME_LENGTH = 63;
const SUFFIX_LENGTH = 4;
const SUFFIX_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Last resort when nothing usable is left of a name. */
const FALLBACK_NAME = 'workspace';

/**
 * Parts of an address that say how a file is hosted, not what it is: names of
 * the file itself, of usual branches, and of git hosts' routes.
 */
const HOSTING_SEGMENTS =
  /^(\.?devfiles?|main|master|trunk|develop|head|heads|refs|raw|blob|src|branch|tree|contents|-|v?\d+(\.\d+)*)$/i;

/** Makes a name usable as a DNS label that begins with a letter; empty when nothing is left. */
export function sanitiseName(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/-$/, '');
}

/**
 * A name for a devfile that has none, from the address it was read from:
 * the file's own name where it says something, else that of its folder or
 * repository, else the host.
 */
export function nameFromUrl(url: URL): string {
  const segments = url.pathname.split('/').filter(Boolean).map(decodeSegment);
  const [file, ...folders] = segments.reverse();
  const candidates = [file?.replace(/\.ya?ml$/i, '') ?? '', ...folders];
  const chosen = candidates.find(
    candidate => !HOSTING_SEGMENTS.test(candidate) && sanitiseName(candidate),
  );
  return (
    sanitiseName(chosen ?? '') || sanitiseName(url.hostname) || FALLBACK_NAME
  );
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * A name for a workspace: `<devfile name>-<4 random characters>`, matching
 * `^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$`.
 */
export function generateWorkspaceName(devfileName: string): string {
  const base = sanitiseName(devfileName)
    .slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH - 1)
    .replace(/-$/, '');
  const suffix = Array.from(
    { length: SUFFIX_LENGTH },
    () => SUFFIX_CHARACTERS[randomInt(SUFFIX_CHARACTERS.length)],
  ).join('');
  return `${base || FALLBACK_NAME}-${suffix}`;
}
