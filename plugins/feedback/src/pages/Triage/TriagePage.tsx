import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ListAndPanel } from '@slipway/design-system';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import type { FeedbackColumn } from '../../components/FeedbackTable';
import { useTriage } from '../../data/useFeedback';
import { useLinks } from '../../data/useLinks';
import { feedbackTranslationRef } from '../../translation';
import { FeedbackList } from '../FeedbackList';
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

/** The columns while details take half of the room. */
const COLUMNS_BESIDE: FeedbackColumn[] = ['message', 'status', 'created'];

/** All feedback: filter it, read it, move it on, make issues of it. */
export function TriagePage() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { '*': id } = useParams();
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const links = useLinks();
  const view = useTriageView();
  const triage = useTriage(view.query, view.page);
  const search = parameters.size > 0 ? `?${parameters}` : '';
  return (
    <>
      <TriageFilters view={view} found={triage.data} />
      {triage.data && <RunAutomation />}
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
        <FeedbackList
          query={triage}
          label={t('triage.label')}
          empty={{
            title: t('triage.emptyTitle'),
            description: t('triage.emptyDescription'),
          }}
          columns={id ? COLUMNS_BESIDE : COLUMNS}
          hrefOf={item => links.triageItem(item, search)}
          onPage={view.setPage}
        />
      </ListAndPanel>
    </>
  );
}
