import type { Entity } from '@backstage/catalog-model';
import {
  DEVFILE_ANNOTATION,
  devfileUrlOf,
} from '@slipway/plugin-ide-launcher-common';

/** Returns whether an entity has a devfile. */
export function hasDevfile(entity: Entity): boolean {
  return Boolean(entity.metadata.annotations?.[DEVFILE_ANNOTATION]);
}

/** Returns the https URL of an entity's devfile; undefined if it has none. */
export function resolveDevfileUrl(entity: Entity): string | undefined {
  return devfileUrlOf(entity.metadata.annotations ?? {});
}
