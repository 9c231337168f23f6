import type { Entity } from '@backstage/catalog-model';
import {
  DEVFILE_ANNOTATION,
  devfileUrlOf,
} from '@slipway/plugin-ide-launcher-common';

/** Tells whether an entity names a devfile. */
export function hasDevfile(entity: Entity): boolean {
  return Boolean(entity.metadata.annotations?.[DEVFILE_ANNOTATION]);
}

/** The https address of an entity's devfile; undefined where it names none. */
export function resolveDevfileUrl(entity: Entity): string | undefined {
  return devfileUrlOf(entity.metadata.annotations ?? {});
}
