import { type Entity, stringifyEntityRef } from '@backstage/catalog-model';
import type { Role } from '@slipway/entity-contract';
import { toRow } from '../catalog/entityFacts';
import type { OfPart } from './AdminClient';

/** A user of the catalog, with what the user may do. */
export interface Person {
  ref: string;
  name: string;
  email: string | undefined;
  /** Entity references of the groups that the user is a member of. */
  teams: readonly string[];
  /** Roles that follow from a group, such as `Portal: Platform admins`. */
  roles: readonly string[];
  isAdmin: boolean;
  /** ISO 8601; undefined if the user never opened the inbox. */
  visitedAt: string | undefined;
}

/** Returns a user with the roles that follow from the user's groups. */
export function readPerson(
  entity: Entity,
  options: {
    roles: readonly OfPart<Role>[];
    visits: ReadonlyMap<string, string>;
  },
): Person {
  const { relations = [], spec } = entity;
  const ref = stringifyEntityRef(entity);
  const teams = relations
    .filter(
      ({ type, targetRef }) =>
        type === 'memberOf' && targetRef.startsWith('group:'),
    )
    .map(({ targetRef }) => targetRef);
  const held = options.roles.filter(({ groups }) =>
    groups.some(group => teams.includes(group.toLowerCase())),
  );
  const isAdmin = held.some(({ partId }) => partId === 'portal');
  const profile = spec?.profile as { email?: string } | undefined;
  return {
    ref,
    name: toRow(entity).name,
    email: profile?.email,
    teams,
    roles: held.map(({ part, name }) => `${part}: ${name}`),
    isAdmin,
    visitedAt: options.visits.get(ref),
  };
}
