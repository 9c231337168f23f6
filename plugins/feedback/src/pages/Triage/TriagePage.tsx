import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { EmptyState, ListAndPanel, LoadingRows } from '@slipway/design-system';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import {
  type FeedbackColumn,
  FeedbackTable,
} from '../../components/FeedbackTable';
import { Pager } from '../../components/Pager';
import { ReadFailure } from '../../components/ReadFailure';
import { useTriage } from '../../data/useFeedback';
import { useLinks } from '../../data/useLinks';
import { feedbackTranslationRef } from '../../translation';
import { FeedbackPanel } from '../FeedbackPanel';
import { History } from './History';
import { MoveForm } from './MoveForm';
import { RunAutomation } from './RunAutomation';
import { TriageFilters } from './TriageFilters';
import { useTriageView } from './useTriageView';

const COLUMNS: FeedbackColumn[] = [
  'message',
  'status',
  'sentiment',
  'category',
  'rating',
  'sender',
  'created',
];

/** Where details take half of the room. */
const COLUMNS_BESIDE: FeedbackColumn[] = ['message', 'status', 'created'];

/** All feedback: filter it, read it, move it on, make issues of it. */
export function TriagePage() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { id } = useParams();
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const links = useLinks();
  const view = useTriageView();
  const { data, error, isPending, refetch } = useTriage(view.query, view.page);
  const search = parameters.size > 0 ? `?${parameters}` : '';
  return (
    <>
      <TriageFilters view={view} found={data} />
      {data && <RunAutomation />}
      <ListAndPanel
        panel={
          id && (
            <FeedbackPanel
              key={id}
              id={id}
              onClose={() => navigate(links.triage(search))}
            >
              {feedback => (
                <>
                  <MoveForm id={feedback.id} status={feedback.status} />
                  <History changes={feedback.history ?? []} />
                </>
              )}
            </FeedbackPanel>
          )
        }
      >
        {isPending && <LoadingRows label={t('list.loading')} rows={8} />}
        {error && !data && (
          <ReadFailure
            title={t('list.failed')}
            error={error}
            onRetry={() => refetch()}
          />
        )}
        {data?.total === 0 && (
          <EmptyState
            title={t('triage.emptyTitle')}
            description={t('triage.emptyDescription')}
          />
        )}
        {data && data.total > 0 && (
          <>
            <FeedbackTable
              label={t('triage.label')}
              items={data.items}
              columns={id ? COLUMNS_BESIDE : COLUMNS}
              hrefOf={item => links.triageItem(item, search)}
            />
            <Pager of={data} onChange={view.setPage} />
          </>
        )}
      </ListAndPanel>
    </>
  );
}
