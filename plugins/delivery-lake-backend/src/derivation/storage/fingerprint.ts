import type { Knex } from 'knex';

// Grows when the same input would be derived to something else.
const DERIVATION_VERSION = 1;
const FINGERPRINT_KEY = 'derivation_fingerprint';

/** What the derived tables depend on besides what was taken in. */
export function fingerprintOf(settings: {
  timeZone: string;
  incidentWindow: number;
}): string {
  return JSON.stringify({
    version: DERIVATION_VERSION,
    timeZone: settings.timeZone,
    incidentWindow: settings.incidentWindow,
  });
}

/** The fingerprint of the last rebuild that came to its end. */
export async function readFingerprint(knex: Knex): Promise<string | undefined> {
  const row = await knex('lake_settings')
    .where('key', FINGERPRINT_KEY)
    .first('value');
  return row?.value;
}

/** Remembers what a rebuild went by, inside the transaction that ends it. */
export async function writeFingerprint(
  trx: Knex.Transaction,
  fingerprint: string,
): Promise<void> {
  await trx('lake_settings')
    .insert({ key: FINGERPRINT_KEY, value: fingerprint })
    .onConflict('key')
    .merge();
}
