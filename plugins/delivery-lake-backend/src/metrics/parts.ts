import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { groupBy } from '../derivation/domain/groupBy';
import { LakeService } from '../scope/LakeService';
import { ScopeKind, scopeName } from '../scope/scopeNames';

/** One team, project or service of a scope. */
export interface Part {
  /** What the query parameter of its kind takes. */
  name: string;
  title: string;
  entityRef: string | null;
  /** Internal ids, ascending. */
  serviceIds: number[];
}

/**
 * Divides services by whose they are, or by component. What nobody claims is part
 * of no team and no project, and a service by itself.
 */
export function divide(
  services: LakeService[],
  by: ScopeKind,
  directory: Pick<ServiceDirectory, 'titleOf'>,
): Part[] {
  const groups = groupBy(services, service =>
    by === 'service' ? service.entityRef ?? service.name : service[by],
  );
  groups.delete(null);
  return [...groups].map(([key, members]) => {
    const [first] = members;
    const entityRef = by === 'service' ? first.entityRef : key;
    const short = entityRef === null ? first.name : scopeName(by, entityRef);
    return {
      // A name that was reported is sure to be found again.
      name: by === 'service' && members.length === 1 ? first.name : short,
      title: entityRef === null ? first.name : directory.titleOf(entityRef),
      entityRef,
      serviceIds: members.map(({ id }) => id).sort((a, b) => a - b),
    };
  });
}
