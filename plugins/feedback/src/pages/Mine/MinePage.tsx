import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { EmptyState, ListAndPanel, LoadingRows } from '@slipway/design-system';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import {
  type FeedbackColumn,
  FeedbackTable,
} from '../../components/FeedbackTable';
import { Pager } from '../../components/Pager';
import { ReadFailure } from '../../components/ReadFailure';
import { useMine } from '../../data/useFeedback';
import { useLinks } from '../../data/useLinks';
import { usePageNumber } from '../../data/usePageNumber';
import { feedbackTranslationRef } from '../../translation';
import { FeedbackPanel } from '../FeedbackPanel';

const COLUMNS: FeedbackColumn[] = ['message', 'status', 'category', 'created'];

/** Where details take half of the room. */
const COLUMNS_BESIDE: FeedbackColumn[] = ['message', 'status'];

/** What the reader sent, and what became of it. */
export function MinePage() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { id } = useParams();
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const links = useLinks();
  const { page, setPage } = usePageNumber();
  const { data, error, isPending, refetch } = useMine(page);
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
      {isPending && <LoadingRows label={t('list.loading')} rows={6} />}
      {error && !data && (
        <ReadFailure
          title={t('list.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {data?.total === 0 && (
        <EmptyState
          title={t('mine.emptyTitle')}
          description={t('mine.emptyDescription')}
        />
      )}
      {data && data.total > 0 && (
        <>
          <FeedbackTable
            label={t('mine.label')}
            items={data.items}
            columns={id ? COLUMNS_BESIDE : COLUMNS}
            hrefOf={item => links.mineItem(item, search)}
          />
          <Pager of={data} onChange={setPage} />
        </>
      )}
    </ListAndPanel>
  );
}
