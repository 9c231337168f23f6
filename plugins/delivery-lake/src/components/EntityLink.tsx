import { parseEntityRef } from '@backstage/catalog-model';
import { useRouteRef } from '@backstage/frontend-plugin-api';
import { entityRouteRef } from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';

/** The name of an entity as a link to its page; plain where the app has no catalog. */
export function EntityLink({ entityRef }: { entityRef: string }) {
  const entityPath = useRouteRef(entityRouteRef);
  const { kind, namespace, name } = parseEntityRef(entityRef);
  const href = entityPath?.({ kind, namespace, name });
  return href ? <Link href={href}>{name}</Link> : <>{name}</>;
}
