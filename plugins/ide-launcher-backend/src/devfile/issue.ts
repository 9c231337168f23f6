import { DevfileIssue } from '@slipway/plugin-ide-launcher-common';

/** Keys and indices from the root of a devfile; empty for the whole file. */
export type DevfilePath = readonly (string | number)[];

/** One fault found in a devfile, its path not yet written out. */
export interface DevfileFault {
  path: DevfilePath;
  message: string;
  /** Address of the parent that the path belongs to; absent for the devfile itself. */
  source?: string;
}

/** More faults than this help nobody; the rest is left out. */
export const MAX_ISSUES = 50;

const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;
const MAX_QUOTED_LENGTH = 60;

/**
 * Quotes text that came from a devfile for a message: one line, bounded, and
 * without control characters, as it ends up in logs and terminals.
 */
export function quote(text: string): string {
  // Cut first: a surrogate pair is two units long.
  const head = text.slice(0, 2 * (MAX_QUOTED_LENGTH + 1));
  const line = head.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD');
  const characters = Array.from(line);
  return characters.length > MAX_QUOTED_LENGTH
    ? `'${characters.slice(0, MAX_QUOTED_LENGTH).join('')}…'`
    : `'${line}'`;
}

/** Writes a path as `components[0].container.env[1].name`. */
export function formatPath(path: DevfilePath): string {
  return path.reduce<string>((written, step) => {
    if (typeof step === 'number') {
      return `${written}[${step}]`;
    }
    if (!PLAIN_KEY.test(step)) {
      return `${written}[${quote(step)}]`;
    }
    return written ? `${written}.${step}` : step;
  }, '');
}

/** One line for one issue: `components[0].name: must match …`. */
export function formatIssue(issue: DevfileIssue): string {
  return issue.path ? `${issue.path}: ${issue.message}` : issue.message;
}

/**
 * Writes a fault out. One of a parent is shown at the devfile's `parent`, as
 * its author has no other place to look at.
 */
export function toIssue(fault: DevfileFault): DevfileIssue {
  const issue = { path: formatPath(fault.path), message: fault.message };
  return fault.source === undefined
    ? issue
    : { path: 'parent', message: `in ${fault.source}: ${formatIssue(issue)}` };
}

/** Tells that faults stand in a parent, unless one further up already has them. */
export function inParent(
  source: string,
  faults: DevfileFault[],
): DevfileFault[] {
  return faults.map(fault => ({ ...fault, source: fault.source ?? source }));
}
