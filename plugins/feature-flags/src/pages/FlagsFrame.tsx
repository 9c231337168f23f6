import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Page, PageHeader } from '@slipway/design-system';
import { Outlet, useLocation } from 'react-router-dom';
import { useMayChange } from '../data/useFlags';
import { useLinks } from '../data/useLinks';
import { flagsTranslationRef } from '../translation';
import { CreateFlagDialog } from './List/CreateFlagDialog';

/** Header and tabs of the list and of the API access. */
export function FlagsFrame() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  const { pathname } = useLocation();
  const mayChange = useMayChange();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Page
      header={
        <PageHeader
          title={t('page.title')}
          description={t('page.description')}
          action={
            mayChange && (
              <Button variant="primary" onPress={() => setIsCreating(true)}>
                {t('create.open')}
              </Button>
            )
          }
          tabs={[
            { id: 'list', label: t('page.list'), href: links.list },
            { id: 'access', label: t('page.access'), href: links.access },
          ]}
          activeTab={pathname === links.access ? 'access' : 'list'}
        />
      }
    >
      <Outlet />
      {isCreating && <CreateFlagDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
