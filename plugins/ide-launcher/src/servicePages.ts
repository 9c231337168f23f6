import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { pagesOfService } from '@slipway/app-react';
import { useLiveUpdates } from './data/useLiveUpdates';
import { ideLauncherTranslationRef } from './translation';

/** What the pages, cards and dialogs of this plugin share. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    access: t('service.access'),
  };
}, useLiveUpdates);
