import { cellText } from './cellText';

/** Reads the page an event happened on, as SDKs of PostHog write it. */
export function pageOf(properties: Record<string, unknown>): string {
  return cellText(properties.$pathname ?? properties.$current_url);
}
