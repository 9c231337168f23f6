import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { useUrlPage } from '@slipway/design-system';
import { DeleteFeedback } from '../components/DeleteFeedback';
import { useMine } from '../queries';
import { useLinks } from '../routes';
import { feedbackTranslationRef } from '../translation';
import { SendFeedbackDialog } from '../widget/SendFeedbackDialog';
import { FeedbackList } from './FeedbackList';

/** Lists the user's feedback and its status. */
export function MinePage() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const links = useLinks();
  const { page, setPage } = useUrlPage();
  const mine = useMine(page);
  const [isSending, setIsSending] = useState(false);
  return (
    <>
      <FeedbackList
        query={mine}
        label={t('mine.label')}
        empty={{
          title: t('mine.emptyTitle'),
          description: t('mine.emptyDescription'),
          action: (
            <Button variant="secondary" onPress={() => setIsSending(true)}>
              {t('mine.first')}
            </Button>
          ),
        }}
        columns={['message', 'status', 'category', 'created']}
        hrefOf={links.mine}
        onPage={setPage}
      >
        {({ id, status }) =>
          // Once somebody acts on it, only those who triage may delete it.
          status === 'new' && <DeleteFeedback id={id} listHref={links.mine} />
        }
      </FeedbackList>
      {isSending && <SendFeedbackDialog onClose={() => setIsSending(false)} />}
    </>
  );
}
