import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { ListAndPanel } from '@slipway/design-system';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import type { FeedbackColumn } from '../../components/FeedbackTable';
import { useMine } from '../../data/useFeedback';
import { useLinks } from '../../data/useLinks';
import { usePageNumber } from '../../data/usePageNumber';
import { feedbackTranslationRef } from '../../translation';
import { FeedbackList } from '../FeedbackList';
import { SendFeedbackDialog } from '../../widget/SendFeedbackDialog';
import { FeedbackPanel } from '../FeedbackPanel';

const COLUMNS: FeedbackColumn[] = ['message', 'status', 'category', 'created'];

/** The columns while details take half of the room. */
const COLUMNS_BESIDE: FeedbackColumn[] = ['message', 'status'];

/** What the reader sent, and what became of it. */
export function MinePage() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { '*': id } = useParams();
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const links = useLinks();
  const { page, setPage } = usePageNumber();
  const mine = useMine(page);
  const [isSending, setIsSending] = useState(false);
  const search = parameters.size > 0 ? `?${parameters}` : '';
  return (
    <ListAndPanel
      panel={
        id && (
          <FeedbackPanel
            key={id}
            id={id}
            onClose={() => navigate(links.mine(search))}
          />
        )
      }
    >
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
        columns={id ? COLUMNS_BESIDE : COLUMNS}
        hrefOf={item => links.mineItem(item, search)}
        onPage={setPage}
      />
      {isSending && <SendFeedbackDialog onClose={() => setIsSending(false)} />}
    </ListAndPanel>
  );
}
