import type { Sentiment } from './sentimentOf.ts';

export const PRIORITIES = ['high', 'medium', 'low'] as const;
/** How soon somebody should look. */
export type Priority = (typeof PRIORITIES)[number];

/** Work stands still, data is lost, or somebody gets in who must not. */
const URGENT =
  /\b(urgent|asap|outage|down for|is down|are down|blocked|blocker|blocking|data ?loss|lost (my|our|all|the) (work|data|changes)|security|vulnerab\w+|leak(s|ed|ing)?|production is|prod is|cannot (log ?in|deploy|work)|can'?t (log ?in|deploy|work))\b/i;

/** A guess for triage, which people correct. */
export function priorityOf(message: string, sentiment: Sentiment): Priority {
  if (URGENT.test(message)) {
    return 'high';
  }
  return sentiment === 'negative' ? 'medium' : 'low';
}
