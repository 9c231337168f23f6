import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { type PageFrameProps, pagesOfService } from '@slipway/app-react';
import { Page, PageHeader } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';

/** Helpers shared by the admin pages. */
export const adminPages = pagesOfService(() => {
  const { t } = useTranslationRef(appTranslationRef);
  return {
    name: t('admin.service'),
    data: t('admin.data'),
    access: t('admin.access'),
  };
});

/** Renders the header of the administration pages. */
export function AdminFrame(props: PageFrameProps) {
  const { title, tabs, activeTab, children } = props;
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <Page
      header={
        <PageHeader
          title={title}
          description={t('admin.description')}
          tabs={tabs}
          activeTab={activeTab}
        />
      }
    >
      {children}
    </Page>
  );
}
