import type { Answer } from './exchange.ts';

/** A difference between two responses. */
export interface Found {
  /** Path in the response, e.g. `status`, `body.features[].name`. */
  readonly at: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

/**
 * Returns the differences between the Unleash server's response and ours, one per path. If the
 * statuses differ, the bodies are not compared. If both are errors, only their names are compared,
 * because each server has its own messages.
 */
export function findDifferences(theirs: Answer, ours: Answer): Found[] {
  if (theirs.status !== ours.status) {
    return [{ at: 'status', theirs: theirs.status, ours: ours.status }];
  }
  const isError = theirs.status >= 400;
  const found = new Map<string, Found>();
  const [one, other] = [theirs, ours].map(({ headers, body }) =>
    isError ? { name: nameOf(body) } : { headers, body },
  );
  compare('', { theirs: one, ours: other }, each => {
    if (!found.has(each.at)) {
      found.set(each.at, each);
    }
  });
  return [...found.values()];
}

function compare(
  at: string,
  { theirs, ours }: { theirs: unknown; ours: unknown },
  note: (found: Found) => void,
): void {
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    if (theirs.length !== ours.length) {
      note({ at: `${at}.length`, theirs: theirs.length, ours: ours.length });
    }
    const common = Math.min(theirs.length, ours.length);
    for (let index = 0; index < common; index += 1) {
      compare(`${at}[]`, { theirs: theirs[index], ours: ours[index] }, note);
    }
    return;
  }
  if (isObject(theirs) && isObject(ours)) {
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      compare(
        at ? `${at}.${key}` : key,
        { theirs: theirs[key], ours: ours[key] },
        note,
      );
    }
    return;
  }
  if (theirs !== ours) {
    note({ at, theirs, ours });
  }
}

function nameOf(body: unknown): unknown {
  return isObject(body) ? body.name : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
