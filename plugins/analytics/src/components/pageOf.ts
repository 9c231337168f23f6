import { cellText } from './cellText';

/** Where an event happened, as SDKs of PostHog say it. */
export function pageOf(properties: Record<string, unknown>): string {
  return cellText(properties.$pathname ?? properties.$current_url);
}
