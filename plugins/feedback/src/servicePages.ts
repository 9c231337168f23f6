import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { pagesOfService } from '@slipway/app-react';
import { feedbackTranslationRef } from './translation';

/** What the pages, cards and dialogs of this plugin share. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(feedbackTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    endpoint: 'proxy.endpoints./feedback',
    access: t('service.access'),
  };
});
