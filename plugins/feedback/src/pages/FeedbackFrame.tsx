import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import type { PageFrameProps } from '@slipway/app-react';
import { Page, PageHeader } from '@slipway/design-system';
import { useOptions } from '../queries';
import { feedbackTranslationRef } from '../translation';
import { SendFeedbackDialog } from '../widget/SendFeedbackDialog';

/** Renders the header with the tabs; only users who can triage see the triage tab. */
export function FeedbackFrame(props: PageFrameProps) {
  const { title, tabs, activeTab, children } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { data: options } = useOptions();
  const [isSending, setIsSending] = useState(false);
  const hasTriage = options?.mayTriage || activeTab === 'triage';
  return (
    <Page
      header={
        <PageHeader
          title={title}
          description={t('page.description')}
          action={
            <Button variant="primary" onPress={() => setIsSending(true)}>
              {t('widget.open')}
            </Button>
          }
          tabs={tabs.filter(({ id }) => id !== 'triage' || hasTriage)}
          activeTab={activeTab}
        />
      }
    >
      {children}
      {isSending && <SendFeedbackDialog onClose={() => setIsSending(false)} />}
    </Page>
  );
}
