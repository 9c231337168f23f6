import { randomInt } from 'node:crypto';

const MAX_NAME_LENGTH = 63;
const SUFFIX_LENGTH = 4;
const SUFFIX_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Used if nothing usable is left of a name. */
const FALLBACK_NAME = 'workspace';

/**
 * Parts of a URL that describe how a file is hosted, not what it is: names of the file itself,
 * of common branches, and of git hosts' routes.
 */
const HOSTING_SEGMENTS =
  /^(\.?devfiles?|main|master|trunk|develop|head|heads|refs|raw|blob|src|branch|tree|contents|-|v?\d+(\.\d+)*)$/i;

/** Converts a name to a DNS label that begins with a letter; empty if nothing is left. */
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
 * Derives the name of an unnamed devfile from its URL: the file's own name if that is
 * meaningful, otherwise that of its folder or repository, otherwise the host.
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

/** Decodes a part of a URL's path; returns it as it is if its encoding is invalid. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Generates a workspace name: `<devfile name>-<4 random characters>`, matching
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
