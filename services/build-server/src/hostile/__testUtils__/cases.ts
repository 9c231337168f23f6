import { fileCases } from './fileCases.ts';
import type { HostileCase } from './HostileCase.ts';
import { repositoryCases } from './repositoryCases.ts';
import { stepCases } from './stepCases.ts';

/** All attacks. */
export const hostileCases: readonly HostileCase[] = [
  ...repositoryCases,
  ...fileCases,
  ...stepCases,
];
