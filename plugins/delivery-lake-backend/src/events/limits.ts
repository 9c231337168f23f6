/** Most characters of each text of an event; keys fit the index of a database page. */
export const TEXT_LIMITS = {
  source: 128,
  externalId: 255,
  service: 255,
  repository: 255,
  environment: 64,
  version: 255,
  triggeredBy: 255,
  author: 255,
  message: 10_000,
  title: 1_000,
  severity: 64,
  url: 2_048,
} as const;

/** Most changes that one deployment can list. */
export const MAX_LISTED_CHANGES = 10_000;

/** Most items of one request. */
export const MAX_BATCH = 1_000;

/** A commit in hexadecimal, shortened or whole, SHA-1 or SHA-256. */
export const SHA_PATTERN = /^[0-9a-f]{7,64}$/i;
