import type { CompoundEntityRef } from '@backstage/catalog-model';
import type { AnalyzeResult } from '@backstage/plugin-catalog-import';

/** A descriptor and its entities. */
export interface FoundLocation {
  target: string;
  /** True if it is already in the catalog. */
  exists: boolean;
  /** The entity whose refresh reads the descriptor again, if it exists. */
  origin?: CompoundEntityRef;
  entities: readonly CompoundEntityRef[];
}

/** A repository without a descriptor, with the one proposed for it. */
export type FoundRepository = Extract<AnalyzeResult, { type: 'repository' }>;

/** The step of the registration, with its data. */
export type ImportState =
  | { step: 'address' }
  | { step: 'request'; repository: FoundRepository }
  | {
      step: 'review';
      locations: readonly FoundLocation[];
      /** URL of the pull request that adds the descriptor. */
      pullRequest?: string;
    }
  | {
      step: 'done';
      added: readonly FoundLocation[];
      refreshed: readonly FoundLocation[];
    };

/** Returns the step after an analysis; undefined if it found nothing to register. */
export function stepAfter(
  result: AnalyzeResult,
  canOpenRequests: boolean,
): ImportState | undefined {
  if (result.type === 'repository') {
    return canOpenRequests && result.generatedEntities.length > 0
      ? { step: 'request', repository: result }
      : undefined;
  }
  const locations = result.locations.map(
    ({ target, exists = false, entities }) => ({
      target,
      exists,
      // Generated for the address, so it stays in the catalog whatever the descriptor contains.
      origin: entities.find(isGenerated),
      entities: entities.filter(entity => !isGenerated(entity)),
    }),
  );
  return locations.length > 0 ? { step: 'review', locations } : undefined;
}

/** Checks whether an entity is the Location that the catalog generates for each registered address. */
function isGenerated({ kind, name }: CompoundEntityRef): boolean {
  return kind === 'Location' && name.startsWith('generated-');
}
