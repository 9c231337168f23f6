import { useEntityPresentation } from '@backstage/plugin-catalog-react';
import { useTitles } from '@slipway/app-react';

/** The title of an entity, as the catalog shows it; its name if it has none or is not in the catalog. */
export function EntityTitle(props: {
  entityRef: string;
  /** The kind that the reader expects, which is not shown. */
  kind?: 'component' | 'group' | 'system';
}) {
  const { entityRef, kind: defaultKind = 'component' } = props;
  return <>{useEntityPresentation(entityRef, { defaultKind }).primaryTitle}</>;
}

/** The service that a deployment or an incident is about. */
interface OfService {
  /** The entity ref of the component, if it is in the catalog. */
  entityRef: string | null;
  /** The name in the lake. */
  service: string | null;
}

/**
 * Returns the title of a service, for use in texts; its name in the lake if it is not in the catalog,
 * and an empty text while the record loads.
 */
export function useServiceTitle(record: OfService | undefined): string {
  const { entityRef = null, service = null } = record ?? {};
  const titleOf = useTitles(entityRef === null ? [] : [entityRef]);
  return entityRef === null ? (service ?? '') : titleOf(entityRef);
}

/** The title of a service; its name in the lake if it is not in the catalog. */
export function ServiceTitle({
  record: { entityRef, service },
}: {
  record: OfService;
}) {
  return entityRef === null ? (
    <>{service}</>
  ) : (
    <EntityTitle entityRef={entityRef} />
  );
}
