import { useEntityPresentation } from '@backstage/plugin-catalog-react';

/** The title of an entity, as the catalog shows it; its name if it has none or is not in the catalog. */
export function EntityTitle(props: {
  entityRef: string;
  /** The kind that the reader expects, which is not shown. */
  kind?: 'component' | 'group' | 'system';
}) {
  const { entityRef, kind: defaultKind = 'component' } = props;
  return <>{useEntityPresentation(entityRef, { defaultKind }).primaryTitle}</>;
}

/** The title of a service; its name in the lake if it is not in the catalog. */
export function ServiceTitle({
  record: { entityRef, service },
}: {
  record: { entityRef: string | null; service: string | null };
}) {
  return entityRef === null ? (
    <>{service}</>
  ) : (
    <EntityTitle entityRef={entityRef} />
  );
}
