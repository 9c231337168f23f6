import type { CognitiveLoad } from './CognitiveLoad.ts';

export interface CognitiveLoadStore {
  /** Resolves once the assessment is on disk and part of the numbers. */
  add(load: CognitiveLoad): Promise<void>;
}
