import { type Entity, parseEntityRef } from '@backstage/catalog-model';
import {
  useApi,
  useRouteRef,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { ButtonLink } from '@backstage/ui';
import { RiFileCopy2Line } from '@remixicon/react';
import { useLoaded } from '../../entities/useLoaded';
import { entityTranslationRef } from './translation';

const SOURCE_TEMPLATE = 'backstage.io/source-template';

/** Links to the template from which an entity was created, if it still exists and a plugin has templates. */
export function CreateSimilar({ entity }: { entity: Entity }) {
  const { t } = useTranslationRef(entityTranslationRef);
  const catalogApi = useApi(catalogApiRef);
  const templatePage = useRouteRef(
    catalogPlugin.externalRoutes.createFromTemplate,
  );
  const ref = entity.metadata.annotations?.[SOURCE_TEMPLATE];
  const template = useLoaded(
    async () =>
      ref && templatePage ? catalogApi.getEntityByRef(ref) : undefined,
    [catalogApi, ref, templatePage === undefined],
  );
  if (!ref || !templatePage || template.state !== 'ready' || !template.value) {
    return null;
  }
  const { namespace, name: templateName } = parseEntityRef(ref);
  return (
    <ButtonLink
      size="small"
      variant="tertiary"
      href={templatePage({ namespace, templateName })}
      aria-label={t('about.createSimilar')}
    >
      <RiFileCopy2Line size={16} />
    </ButtonLink>
  );
}
