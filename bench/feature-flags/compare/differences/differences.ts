import { bodies } from './adminBodies.ts';
import type { Difference } from '../judge.ts';
import { absent, added } from './routes.ts';
import { strictness } from './rules.ts';
import { sdks } from './sdks.ts';

/** All intentional differences between the Unleash server and ours. */
export const differences: readonly Difference[] = [
  ...absent,
  ...added,
  ...strictness,
  ...bodies,
  ...sdks,
];
