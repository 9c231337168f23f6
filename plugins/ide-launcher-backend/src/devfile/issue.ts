import { DevfileIssue } from '@slipway/plugin-ide-launcher-common';

/** Keys and indices from the root of a devfile; empty for the whole file. */
export type DevfilePath = readonly (string | number)[];

/** Returns the value at a path of a devfile; undefined if there is none. */
export function valueAt(root: unknown, path: DevfilePath): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? Reflect.get(value, key)
        : undefined,
    root,
  );
}

/** An error in a devfile, with an unformatted path. */
export interface DevfileFault {
  path: DevfilePath;
  message: string;
  /** Address of the parent that the path belongs to; absent for the devfile itself. */
  source?: string;
}

/** The maximum number of reported faults. */
export const MAX_ISSUES = 50;

const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;
const MAX_QUOTED_LENGTH = 60;

/**
 * Quotes text from a devfile for a message: one line, truncated, and without control characters,
 * because it ends up in logs and terminals.
 */
export function quote(text: string): string {
  // Truncated first: a surrogate pair is two units long.
  const head = text.slice(0, 2 * (MAX_QUOTED_LENGTH + 1));
  const line = head.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD');
  const characters = Array.from(line);
  return characters.length > MAX_QUOTED_LENGTH
    ? `'${characters.slice(0, MAX_QUOTED_LENGTH).join('')}…'`
    : `'${line}'`;
}

/** Formats a path as `components[0].container.env[1].name`. */
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

/** Formats an issue as one line: `components[0].name: must be …`. */
export function formatIssue(issue: DevfileIssue): string {
  return issue.path ? `${issue.path}: ${issue.message}` : issue.message;
}

/**
 * Converts a fault to an issue. Faults in a parent are reported at the devfile's `parent`, the
 * only place its author can change.
 */
export function toIssue(fault: DevfileFault): DevfileIssue {
  const issue = { path: formatPath(fault.path), message: fault.message };
  return fault.source === undefined
    ? issue
    : { path: 'parent', message: `in ${fault.source}: ${formatIssue(issue)}` };
}

/** Sets a parent as the source of faults, unless they already have an ancestor of it as their source. */
export function inParent(
  source: string,
  faults: DevfileFault[],
): DevfileFault[] {
  return faults.map(fault => ({ ...fault, source: fault.source ?? source }));
}
