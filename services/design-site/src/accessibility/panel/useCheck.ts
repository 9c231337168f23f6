import { useSyncExternalStore } from 'react';
import { addons } from 'storybook/manager-api';
import type { Check } from '../report/verdict.ts';
import { Checks } from './Checks.ts';

let checks: Checks | undefined;

/** Listens from when the site opens, whether or not the panel does. */
export function startChecks(): void {
  checks = new Checks(addons.getChannel());
}

/** The latest check of a story. */
export function useCheck(storyId: string): Check {
  const current = checks;
  if (!current) {
    throw new Error('startChecks has not been called');
  }
  return useSyncExternalStore(current.subscribe, () => current.of(storyId));
}
