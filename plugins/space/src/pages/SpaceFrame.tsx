import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import type { PageFrameProps } from '@slipway/app-react';
import { Page, PageHeader } from '@slipway/design-system';
import { useView } from '../components/SpaceFilterBar';
import { LogFrictionDialog } from '../friction/LogFrictionDialog';
import { searchOf } from '../routes';
import { spaceTranslationRef } from '../translation';

/** The header above the tabs; team and period are kept when switching tabs. */
export function SpaceFrame({ children, ...header }: PageFrameProps) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { filters } = useView();
  const [isLogging, setIsLogging] = useState(false);
  return (
    <Page
      header={
        <PageHeader
          {...header}
          tabs={header.tabs.map(tab => ({
            ...tab,
            href: tab.href + searchOf(filters.values),
          }))}
          description={t('page.description')}
          action={
            <Button variant="primary" onPress={() => setIsLogging(true)}>
              {t('friction.log')}
            </Button>
          }
        />
      }
    >
      {children}
      {isLogging && <LogFrictionDialog onClose={() => setIsLogging(false)} />}
    </Page>
  );
}
