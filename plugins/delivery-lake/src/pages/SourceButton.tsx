import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink } from '@backstage/ui';
import { RiExternalLinkLine, RiHammerLine } from '@remixicon/react';
import { deliveryLakeTranslationRef } from '../translation';
import { useBuildPage } from './deploymentSubject';

/** Links to the source of a record: a build's page in the portal, or a page elsewhere. */
export function SourceButton({ url }: { url: string | null }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const build = useBuildPage()(url);
  if (build) {
    return (
      <ButtonLink
        href={build}
        variant="secondary"
        size="small"
        iconStart={<RiHammerLine aria-hidden />}
      >
        {t('deployment.build')}
      </ButtonLink>
    );
  }
  return (
    url && (
      <ButtonLink
        href={url}
        target="_blank"
        rel="noopener"
        variant="secondary"
        size="small"
        iconEnd={<RiExternalLinkLine aria-hidden />}
      >
        {t('deployment.open')}
      </ButtonLink>
    )
  );
}
