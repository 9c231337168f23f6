import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { pagesOfService } from '@slipway/app-react';
import { buildsTranslationRef } from './translation';

/** What the pages, cards and dialogs of this plugin share. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(buildsTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    endpoint: 'proxy.endpoints./build-server',
    access: t('service.access'),
  };
});
