import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { type PageFrameProps } from '@slipway/app-react';
import { Page, PageHeader } from '@slipway/design-system';
import { useLiveChanges } from '../queries/history';
import { useMayChange } from '../queries/user';
import { flagsTranslationRef } from '../translation';
import { CreateFlagDialog } from './CreateFlagDialog';

/** The header above the tabs, with the button that creates a flag. */
export function FlagsFrame({ children, ...header }: PageFrameProps) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const mayChange = useMayChange();
  useLiveChanges();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Page
      header={
        <PageHeader
          {...header}
          description={t('page.description')}
          action={
            mayChange && (
              <Button variant="primary" onPress={() => setIsCreating(true)}>
                {t('create.open')}
              </Button>
            )
          }
        />
      }
    >
      {children}
      {isCreating && <CreateFlagDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
