import type { Caller } from '@slipway/service-kit';

/** Whom a build is said to be triggered by. */
export function nameOf(caller: Caller): string {
  return caller.kind === 'anonymous' ? 'anonymous' : caller.id;
}

/** The same for people to read. */
export function shortName(by: string): string {
  return by.replace(/^user:default\//, '');
}
