import type { CognitiveLoad } from './CognitiveLoad.ts';

/** Takes assessments in. It reads none: numbers come from the ledger's rollups. */
export interface CognitiveLoadStore {
  /** Resolves once the assessment is on disk and part of the numbers. */
  add(load: CognitiveLoad): Promise<void>;
}
