import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { pagesOfService } from '@slipway/app-react';
import { appTranslationRef } from '../../translation';

/** What the administration pages share. */
export const adminPages = pagesOfService(() => {
  const { t } = useTranslationRef(appTranslationRef);
  return {
    name: t('admin.service'),
    data: t('admin.data'),
    access: t('admin.access'),
  };
});
