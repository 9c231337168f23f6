import { DEFAULT_NAMESPACE, parseEntityRef } from '@backstage/catalog-model';
import { useRouteRef } from '@backstage/frontend-plugin-api';
import { entityRouteRef } from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';

/** The name of an entity as a link to its page; plain where the app has no catalog. */
export function EntityLink(props: {
  /** An entity ref, or the name alone of one in the default namespace. */
  entityRef: string;
  /** Kind of a ref that names none. */
  defaultKind: 'component' | 'group' | 'system';
}) {
  const { entityRef, defaultKind } = props;
  const entityPath = useRouteRef(entityRouteRef);
  const { kind, namespace, name } = parseEntityRef(entityRef, {
    defaultKind,
    defaultNamespace: DEFAULT_NAMESPACE,
  });
  const href = entityPath?.({ kind, namespace, name });
  return href ? <Link href={href}>{name}</Link> : <>{name}</>;
}
