import { useCallback, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Page, PageHeader } from '@slipway/design-system';
import { Outlet, useLocation, useOutletContext } from 'react-router-dom';
import { useLinks } from '../data/useLinks';
import { useView } from '../data/useView';
import { LogFrictionDialog } from '../friction/LogFrictionDialog';
import { spaceTranslationRef } from '../translation';

/** Header and tabs of every page; team and period go along from tab to tab. */
export function SpaceFrame() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const links = useLinks();
  const { pathname } = useLocation();
  const { filters } = useView();
  const [isLogging, setIsLogging] = useState(false);
  const log = useCallback(() => setIsLogging(true), []);

  const tabs = [
    {
      id: 'overview',
      label: t('page.overview'),
      href: links.overview(filters.values),
    },
    {
      id: 'friction',
      label: t('page.friction'),
      href: links.friction(filters.values),
    },
    { id: 'pulse', label: t('page.pulse'), href: links.pulse(filters.values) },
    {
      id: 'task-load',
      label: t('page.load'),
      href: links.load(filters.values),
    },
    {
      id: 'your-data',
      label: t('page.mine'),
      href: links.mine(filters.values),
    },
  ];
  const below = pathname.slice(links.overview().length).split('/')[1];
  const active = tabs.find(({ id }) => id === below)?.id ?? 'overview';
  return (
    <Page
      header={
        <PageHeader
          title={t('page.title')}
          description={t('page.description')}
          action={
            <Button variant="primary" onPress={log}>
              {t('friction.log')}
            </Button>
          }
          tabs={tabs}
          activeTab={active}
        />
      }
    >
      <Outlet context={log} />
      {isLogging && <LogFrictionDialog onClose={() => setIsLogging(false)} />}
    </Page>
  );
}

/** Opens the dialog of the frame, which stays when the page beneath changes. */
export function useLogFriction(): () => void {
  return useOutletContext<() => void>();
}
