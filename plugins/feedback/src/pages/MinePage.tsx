import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { useUrlPage } from '@slipway/design-system';
import type { Feedback } from '../api/Feedback';
import { DeleteFeedback } from '../components/DeleteFeedback';
import { History } from '../components/History';
import { Thread } from '../components/Thread';
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
        {feedback => (
          <>
            <Thread feedback={feedback} side="sender" />
            <History feedback={feedback} />
            {mayDelete(feedback) && (
              <DeleteFeedback id={feedback.id} listHref={links.mine} />
            )}
          </>
        )}
      </FeedbackList>
      {isSending && <SendFeedbackDialog onClose={() => setIsSending(false)} />}
    </>
  );
}

/** Checks whether a sender may delete feedback: only until an admin has acted on it. */
function mayDelete({ status, voting, replies }: Feedback): boolean {
  return (
    status === 'new' &&
    voting === null &&
    replies.every(reply => reply.isFromSender || reply.isInternal)
  );
}
