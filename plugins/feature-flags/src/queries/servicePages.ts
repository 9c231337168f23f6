import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { pagesOfService } from '@slipway/app-react';
import { flagsTranslationRef } from '../translation';

/** What the pages, cards and dialogs of this plugin share. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(flagsTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    endpoint: 'proxy.endpoints./feature-flags',
    access: t('service.access'),
  };
});
