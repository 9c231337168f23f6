import type { Transaction } from '@slipway/service-kit';
import type { DestinationKey } from '../Destination.ts';

/** Selects the row of a destination. */
export function whereOf({ projectId, id }: DestinationKey) {
  return { project_id: projectId, id };
}

/** Selects the deliveries of a destination. */
export function deliveriesOf({ projectId, id }: DestinationKey) {
  return { project_id: projectId, destination_id: id };
}

/** Makes a destination receive the events that arrive from now on, unless it already has progress. */
export async function beginAt(
  trx: Transaction,
  key: DestinationKey,
  now: number,
): Promise<void> {
  await trx('destinations')
    .insert({
      ...whereOf(key),
      cursor_at: now,
      cursor_uuid: '',
      delivered: 0,
      failures: 0,
      next_at: 0,
      leased_until: 0,
    })
    .onConflict(['project_id', 'id'])
    .ignore();
}

/** Ends the lease of a destination and makes it due immediately. */
export async function interrupt(
  trx: Transaction,
  key: DestinationKey,
): Promise<void> {
  await trx('destinations')
    .where(whereOf(key))
    .update({ leased_until: 0, next_at: 0 });
}

/** Moves the progress and deliveries of a destination to its new id. */
export async function moveProgress(
  trx: Transaction,
  from: DestinationKey,
  to: DestinationKey,
): Promise<void> {
  // A deleted destination with this id may have left its progress behind.
  await forget(trx, to);
  await trx('destinations').where(whereOf(from)).update(whereOf(to));
  await trx('destination_deliveries')
    .where(deliveriesOf(from))
    .update(deliveriesOf(to));
}

/** Deletes the progress and deliveries of a destination. */
export async function forget(
  trx: Transaction,
  key: DestinationKey,
): Promise<void> {
  await trx('destinations').where(whereOf(key)).delete();
  await trx('destination_deliveries').where(deliveriesOf(key)).delete();
}
