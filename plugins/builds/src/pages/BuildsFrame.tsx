import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { PageFrameProps } from '@slipway/app-react';
import { Page, PageHeader } from '@slipway/design-system';
import { IsolationWarning } from '../components/IsolationWarning';
import { buildsTranslationRef } from '../translation';

/** The header above the tabs, and the warning that holds for all builds. */
export function BuildsFrame({ children, ...header }: PageFrameProps) {
  const { t } = useTranslationRef(buildsTranslationRef);
  return (
    <Page
      header={<PageHeader {...header} description={t('page.description')} />}
    >
      <IsolationWarning />
      {children}
    </Page>
  );
}
