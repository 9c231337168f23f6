import {
  identityApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Flex, Link, Text } from '@backstage/ui';
import { LoadingRows } from '@slipway/design-system';
import { useQuery } from '@tanstack/react-query';
import { MetricSummary } from '../components/MetricSummary';
import { useScopes } from '../queries';
import { useLinks } from '../routes';
import { type Scope, scopeQuery, titleOfScope } from '../scope';
import { deliveryLakeTranslationRef } from '../translation';

/** Returns the first team in the lake that the user belongs to. */
function useMyTeam() {
  const identityApi = useApi(identityApiRef);
  const identity = useQuery({
    queryKey: ['identity'],
    queryFn: () => identityApi.getBackstageIdentity(),
  });
  const scopes = useScopes();
  const refs = identity.data?.ownershipEntityRefs ?? [];
  const team = scopes.data?.teams.find(({ entityRef }) =>
    refs.includes(entityRef),
  );
  const scope: Scope | undefined = team && { kind: 'team', name: team.name };
  return { isPending: identity.isPending || scopes.isPending, scope, scopes };
}

/** Content of the home card: the metrics of the user's team. */
export function MyDelivery() {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useLinks();
  const { isPending, scope, scopes } = useMyTeam();
  if (isPending) {
    return <LoadingRows label={t('card.loading')} rows={4} />;
  }
  return (
    <Flex direction="column" gap="2">
      <Text as="p" weight="bold">
        {scope
          ? t('home.ofTeam', { team: titleOfScope(scopes.data, scope) })
          : t('home.ofEverything')}
      </Text>
      <MetricSummary query={scopeQuery(scope)} />
      <Link href={links.overview({ scope })} variant="body-small">
        {t('home.open')}
      </Link>
    </Flex>
  );
}
