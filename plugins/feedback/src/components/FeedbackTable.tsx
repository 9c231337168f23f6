import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Cell,
  Column,
  Link,
  Row,
  TableBody,
  TableHeader,
  TableRoot,
  useBreakpoint,
} from '@backstage/ui';
import { RelativeTime, TableFrame } from '@slipway/design-system';
import type { FeedbackSummary } from '../api/types';
import { feedbackTranslationRef } from '../translation';
import styles from './components.module.css';
import { SenderName } from './SenderName';
import { SentimentMark } from './SentimentMark';
import { StatusMark } from './StatusMark';

/** What a table can show of feedback. */
export type FeedbackColumn =
  | 'message'
  | 'status'
  | 'category'
  | 'rating'
  | 'sentiment'
  | 'sender'
  | 'created';

/** On a phone. */
const NARROW: FeedbackColumn[] = ['message', 'status'];

/** Feedback, a row each; the message is the link. */
export function FeedbackTable<T extends FeedbackSummary>(props: {
  label: string;
  items: readonly T[];
  columns: readonly FeedbackColumn[];
  hrefOf(id: string): string;
}) {
  const { label, items, columns: wanted, hrefOf } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { up } = useBreakpoint();
  const isNarrow = !up('sm');
  const columns = useMemo(
    () => (isNarrow ? NARROW : wanted).map(id => ({ id })),
    [isNarrow, wanted],
  );
  return (
    <TableFrame>
      <TableRoot aria-label={label}>
        <TableHeader columns={columns}>
          {({ id }) => (
            <Column
              id={id}
              isRowHeader={id === 'message'}
              className={styles[`${id}Column`]}
            >
              {t(`list.${id}`)}
            </Column>
          )}
        </TableHeader>
        <TableBody items={items} dependencies={[columns, t, hrefOf]}>
          {item => (
            <Row id={item.id} columns={columns}>
              {({ id }: { id: FeedbackColumn }) => (
                <Cell textValue={id === 'message' ? item.message : undefined}>
                  <FeedbackCell
                    column={id}
                    item={item}
                    href={hrefOf(item.id)}
                  />
                </Cell>
              )}
            </Row>
          )}
        </TableBody>
      </TableRoot>
    </TableFrame>
  );
}

function FeedbackCell(props: {
  column: FeedbackColumn;
  item: FeedbackSummary;
  href: string;
}) {
  const { column, item, href } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  switch (column) {
    case 'message':
      return (
        <Link href={href} className={styles.excerpt}>
          {item.message.trim()}
        </Link>
      );
    case 'status':
      return <StatusMark status={item.status} />;
    case 'sentiment':
      return <SentimentMark sentiment={item.sentiment} />;
    case 'rating':
      return <>{t('list.stars', { rating: String(item.rating) })}</>;
    case 'sender':
      return <SenderName feedback={item} />;
    case 'created':
      return <RelativeTime value={item.createdAt} />;
    default:
      return <>{item.category}</>;
  }
}
