import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { pagesOfService } from '@slipway/app-react';
import { deliveryReadPermission } from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeTranslationRef } from './translation';

/** What the pages and cards of this plugin share. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    access: t('service.access', { permission: deliveryReadPermission.name }),
  };
});
