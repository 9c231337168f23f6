import { DeliveryMapper } from './payload';

/** Reads deliveries of one incident tracker. Bodies are parsed, but not validated. */
export interface TrackerReader {
  map: DeliveryMapper;
  /** Returns the name of the event. */
  eventOf(body: unknown): string | undefined;
  /** Returns the host of the account or site; undefined for events that name none. */
  accountOf(body: unknown): string | undefined;
  /** Returns the names by which the catalog may know the affected service, the most specific first. */
  serviceNamesOf(body: unknown): string[];
  /** Returns the start of the incident, in milliseconds; undefined for events that name none. */
  startOf(body: unknown): number | undefined;
}

/** Returns the host of a URL, with its port; undefined if the text is not a URL. */
export function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host || undefined : undefined;
}
