import { useEntity } from '@backstage/plugin-catalog-react';
import { ListPage } from '../pages/ListPage';

/** The annotation with the flags of a component, separated by commas; a name may end in `*`. */
const FLAGS_ANNOTATION = 'slipway.dev/flags';

/** The flags of a component, as a tab of its page. */
export function EntityFlags() {
  const { entity } = useEntity();
  const names = (entity.metadata.annotations?.[FLAGS_ANNOTATION] ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean);
  return (
    <ListPage
      belongs={({ name: flag }) =>
        names.some(name =>
          name.endsWith('*')
            ? flag.startsWith(name.slice(0, -1))
            : flag === name,
        )
      }
    />
  );
}
