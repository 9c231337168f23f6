import { Deriver } from '../derivation/Deriver';
import { ServiceIds } from './LakeService';

/** Brings what is derived of a scope up to date before it is read. */
export async function drainScope(
  deriver: Deriver,
  services: ServiceIds,
): Promise<void> {
  if (services === 'all') {
    await deriver.drain();
  } else if (services.length > 0) {
    await deriver.drain(services);
  }
}
