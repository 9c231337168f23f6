import type { Translate } from '../translation';

/** What the form offers; other senders may use names of their own. */
export const CATEGORIES = [
  'build',
  'deployment',
  'testing',
  'tooling',
  'documentation',
  'environment',
  'process',
  'other',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** A category as people read it. */
export function categoryName(t: Translate, category: string): string {
  const known = CATEGORIES.find(name => name === category);
  return known ? t(`category.${known}`) : category;
}
