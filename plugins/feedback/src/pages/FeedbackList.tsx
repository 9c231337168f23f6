import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { Loaded, QueryTable } from '@slipway/app-react';
import {
  type BulkAction,
  type DataColumn,
  EmptyState,
  type EmptyStateProps,
  isPastEnd,
  ListAndPanel,
  LoadingRows,
  Pager,
  RelativeTime,
  SidePanel,
  useUrlColumns,
} from '@slipway/design-system';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import type { Feedback, FeedbackSummary, PageOf } from '../api/Feedback';
import {
  FeedbackFacts,
  SenderName,
  SentimentMark,
  StatusMark,
} from '../components/FeedbackFacts';
import { ReplyMarks } from '../components/ReplyMarks';
import { VoteCount } from '../components/VoteButton';
import styles from '../feedback.module.css';
import { useFeedback } from '../queries';
import { type Translate, feedbackTranslationRef } from '../translation';

const COLUMNS = [
  'message',
  'status',
  'sentiment',
  'category',
  'rating',
  'votes',
  'sender',
  'created',
] as const;
/** A column of a list of feedback. */
export type FeedbackColumn = (typeof COLUMNS)[number];

/** Shows a page of feedback, and a panel for the item in the URL. */
export function FeedbackList(props: {
  query: UseQueryResult<PageOf<FeedbackSummary>>;
  label: string;
  empty: Pick<EmptyStateProps, 'title' | 'description' | 'action'>;
  /** The columns in their order; all by default. */
  columns?: readonly FeedbackColumn[];
  /** The component of each item; only for lists about several components. */
  component?: DataColumn<FeedbackSummary>;
  /** Returns the URL of an item, or of the list; `search` contains the filters. */
  hrefOf(id: string | undefined, search: string): string;
  onPage(page: number): void;
  /** Actions on several rows, offered while no item is open. */
  bulk?: readonly BulkAction<FeedbackSummary>[];
  /** Rendered below the properties of the open item. */
  children?(feedback: Feedback): ReactNode;
}) {
  const { query, label, empty, hrefOf, onPage, children } = props;
  const { columns = COLUMNS, component, bulk } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { '*': id } = useParams();
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const { data } = query;
  const search = parameters.size > 0 ? `?${parameters}` : '';
  return (
    <ListAndPanel
      panel={
        id && (
          <FeedbackPanel
            key={id}
            id={id}
            onClose={() => navigate(hrefOf(undefined, search))}
          >
            {children}
          </FeedbackPanel>
        )
      }
    >
      <QueryTable
        label={label}
        query={
          data && isPastEnd(data.page, data.items)
            ? { ...query, data: undefined }
            : query
        }
        rowsOf={({ items }) => items}
        failed={t('list.failed')}
        rowId={item => item.id}
        selectedId={id}
        columns={withComponent(
          columnsOf(t, item => hrefOf(item.id, search)).filter(column =>
            columns.some(wanted => wanted === column.id),
          ),
          component,
        )}
        columnChoice={useUrlColumns()}
        exportAs="feedback"
        bulk={id ? undefined : bulk}
        loading={t('list.loading')}
        empty={<EmptyState {...empty} />}
      />
      {data && <Pager {...data} label={t('page.title')} onChange={onPage} />}
    </ListAndPanel>
  );
}

/** Inserts the component column after the message. */
function withComponent(
  [message, ...others]: DataColumn<FeedbackSummary>[],
  component: DataColumn<FeedbackSummary> | undefined,
): DataColumn<FeedbackSummary>[] {
  return [message, ...(component ? [component] : []), ...others];
}

/** Returns all columns. The message is the link, and takes up the remaining width. */
function columnsOf(
  t: Translate,
  hrefOf: (item: FeedbackSummary) => string,
): DataColumn<FeedbackSummary>[] {
  return [
    {
      id: 'message',
      label: t('list.message'),
      text: ({ message }) => message,
      cell: (item, { isNarrow }) => (
        <span className={styles.entry}>
          <WithMarks feedback={item}>
            <Link href={hrefOf(item)} className={styles.excerpt}>
              {item.message.trim()}
            </Link>
          </WithMarks>
          {isNarrow && (
            <span className={styles.quiet}>
              {item.category} · <RelativeTime value={item.createdAt} />
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'status',
      label: t('list.status'),
      width: 116,
      csv: ({ status }) => status,
      cell: ({ status }) => <StatusMark status={status} />,
    },
    {
      id: 'sentiment',
      label: t('list.sentiment'),
      width: 116,
      from: 'sm',
      beside: false,
      csv: ({ sentiment }) => sentiment,
      cell: ({ sentiment }) => <SentimentMark sentiment={sentiment} />,
    },
    {
      id: 'category',
      label: t('list.category'),
      width: 136,
      from: 'sm',
      beside: false,
      csv: ({ category }) => category,
      cell: ({ category }) => category,
    },
    {
      id: 'rating',
      label: t('list.rating'),
      width: 80,
      from: 'sm',
      beside: false,
      csv: ({ rating }) => rating,
      cell: ({ rating }) => t('list.stars', { rating: String(rating) }),
    },
    {
      id: 'votes',
      label: t('votes.votes'),
      width: 72,
      from: 'md',
      beside: false,
      isNumber: true,
      csv: ({ votes }) => votes,
      cell: ({ votes }) => (votes > 0 ? <VoteCount votes={votes} /> : null),
    },
    {
      id: 'sender',
      label: t('list.sender'),
      width: 116,
      from: 'sm',
      beside: false,
      cell: item => <SenderName feedback={item} />,
    },
    {
      id: 'created',
      label: t('list.created'),
      width: 136,
      from: 'sm',
      csv: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime value={createdAt} />,
    },
  ];
}

/** Shows marks of replies next to the message if the feedback has any. */
function WithMarks(props: { feedback: FeedbackSummary; children: ReactNode }) {
  const { feedback, children } = props;
  return feedback.replyCount === 0 ? (
    <>{children}</>
  ) : (
    <span className={styles.line}>
      {children}
      <ReplyMarks feedback={feedback} />
    </span>
  );
}

function FeedbackPanel(props: {
  id: string;
  onClose(): void;
  children?(feedback: Feedback): ReactNode;
}) {
  const { id, onClose, children } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const query = useFeedback(id);
  const { data } = query;
  return (
    <SidePanel
      title={data?.category ?? t('list.message')}
      status={data && <StatusMark status={data.status} />}
      onClose={onClose}
    >
      <div className={styles.facts}>
        <Loaded
          query={query}
          failed={t('list.failed')}
          loading={<LoadingRows label={t('list.loading')} rows={4} />}
          missing={
            <EmptyState
              title={t('detail.missingTitle')}
              description={t('detail.missing')}
            />
          }
        >
          {feedback => (
            <>
              <FeedbackFacts feedback={feedback} />
              {children?.(feedback)}
            </>
          )}
        </Loaded>
      </div>
    </SidePanel>
  );
}
