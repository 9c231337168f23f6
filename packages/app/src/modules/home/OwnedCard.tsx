import {
  identityApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';
import { appTranslationRef } from '../../translation';
import { EntityCard } from './EntityCard';
import { useLoaded } from './useLoaded';

/** More than these are on the catalog page. */
const LIMIT = 8;

const FIELDS = [
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.title',
  'spec.type',
];

/** What the caller and the caller's groups own. */
export function OwnedCard() {
  const { t } = useTranslationRef(appTranslationRef);
  const catalogApi = useApi(catalogApiRef);
  const identityApi = useApi(identityApiRef);
  const entities = useLoaded(async () => {
    const { ownershipEntityRefs } = await identityApi.getBackstageIdentity();
    const { items } = await catalogApi.queryEntities({
      filter: {
        kind: ['component', 'api', 'system', 'resource'],
        'relations.ownedBy': ownershipEntityRefs,
      },
      fields: FIELDS,
      orderFields: [{ field: 'metadata.name', order: 'asc' }],
      limit: LIMIT,
    });
    return items;
  }, [catalogApi, identityApi]);

  return (
    <EntityCard
      name="owned"
      action={
        <Link href="/catalog" variant="body-small">
          {t('home.owned.all')}
        </Link>
      }
      entities={entities}
      nextStep={{ label: t('home.owned.register'), href: '/catalog-import' }}
    />
  );
}
