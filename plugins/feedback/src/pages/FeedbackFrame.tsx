import { useCallback, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Page, PageHeader } from '@slipway/design-system';
import { Outlet, useLocation, useOutletContext } from 'react-router-dom';
import { useOptions } from '../data/useFeedback';
import { useLinks } from '../data/useLinks';
import { feedbackTranslationRef } from '../translation';
import { SendFeedbackDialog } from '../widget/SendFeedbackDialog';

/** Header and tabs of the pages with lists; who does not triage has one of them less. */
export function FeedbackFrame() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const links = useLinks();
  const { pathname } = useLocation();
  const { data: options } = useOptions();
  const [isSending, setIsSending] = useState(false);
  const send = useCallback(() => setIsSending(true), []);
  const below = pathname.slice(links.mine().length).split('/')[1];
  const active = below === 'triage' || below === 'statistics' ? below : 'mine';
  const tabs = [
    { id: 'mine', label: t('page.mine'), href: links.mine() },
    ...(options?.mayTriage || active === 'triage'
      ? [{ id: 'triage', label: t('page.triage'), href: links.triage() }]
      : []),
    {
      id: 'statistics',
      label: t('page.statistics'),
      href: links.statistics(),
    },
  ];
  return (
    <Page
      header={
        <PageHeader
          title={t('page.title')}
          description={t('page.description')}
          action={
            <Button variant="primary" onPress={send}>
              {t('widget.open')}
            </Button>
          }
          tabs={tabs}
          activeTab={active}
        />
      }
    >
      <Outlet context={send} />
      {isSending && <SendFeedbackDialog onClose={() => setIsSending(false)} />}
    </Page>
  );
}

/** Opens the dialog of the frame, which stays when the page beneath changes. */
export function useSendFeedback(): () => void {
  return useOutletContext<() => void>();
}
