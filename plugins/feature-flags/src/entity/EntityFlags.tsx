import { useEntity } from '@backstage/plugin-catalog-react';
import { ListPage } from '../pages/ListPage';
import { FLAGS_ANNOTATION, namesFlag } from '../queries/deployments';

/** The flags of a component, as a tab of its page. */
export function EntityFlags() {
  const { entity } = useEntity();
  const names = (entity.metadata.annotations?.[FLAGS_ANNOTATION] ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean);
  return (
    <ListPage
      belongs={({ name: flag }) => names.some(name => namesFlag(name, flag))}
    />
  );
}
