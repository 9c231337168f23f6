import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import type { PageFrameProps } from '@slipway/app-react';
import { Page, PageHeader } from '@slipway/design-system';
import { useLiveChanges } from '../queries/changes';
import { mayCreate, useUser } from '../queries/access';
import { flagsTranslationRef } from '../translation';
import { CreateFlagDialog } from './CreateFlagDialog';
import styles from './ListPage.module.css';

/** The header above the tabs, with the button that creates a flag. */
export function FlagsFrame({ children, ...header }: PageFrameProps) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: user, isPending } = useUser();
  useLiveChanges();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Page
      header={
        <PageHeader
          {...header}
          description={t('page.description')}
          action={
            (isPending || (user && mayCreate(user))) && (
              <Button
                variant="primary"
                // Reserves its place until the permissions of the user have loaded.
                className={isPending ? styles.reserved : undefined}
                isDisabled={isPending}
                onPress={() => setIsCreating(true)}
              >
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
