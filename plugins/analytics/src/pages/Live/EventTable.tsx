import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Cell,
  Column,
  Row,
  TableBody,
  TableHeader,
  TableRoot,
  useBreakpoint,
} from '@backstage/ui';
import { RelativeTime, TableFrame } from '@slipway/design-system';
import type { CapturedEvent } from '../../api/types';
import { pageOf } from '../../components/pageOf';
import { analyticsTranslationRef } from '../../translation';
import styles from './Live.module.css';

type ColumnId = 'event' | 'user' | 'page' | 'time';

const WIDE: ColumnId[] = ['event', 'user', 'page', 'time'];
const NARROW: ColumnId[] = ['event', 'time'];

/** The newest events first; a row opens the whole event. */
export function EventTable(props: {
  events: readonly CapturedEvent[];
  onOpen(uuid: string): void;
}) {
  const { events, onOpen } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { up } = useBreakpoint();
  const isNarrow = !up('sm');
  const columns = useMemo(
    () => (isNarrow ? NARROW : WIDE).map(id => ({ id })),
    [isNarrow],
  );
  const items = useMemo(
    () => events.map(event => ({ ...event, id: event.uuid })),
    [events],
  );
  return (
    <TableFrame>
      <TableRoot
        aria-label={t('live.title')}
        onRowAction={key => onOpen(String(key))}
      >
        <TableHeader columns={columns}>
          {({ id }) => (
            <Column id={id} isRowHeader={id === 'event'}>
              {t(`live.${id}`)}
            </Column>
          )}
        </TableHeader>
        <TableBody items={items} dependencies={[columns, t]}>
          {item => (
            <Row id={item.id} columns={columns}>
              {({ id }: { id: ColumnId }) => (
                <Cell textValue={id === 'event' ? item.event : undefined}>
                  <EventCell column={id} event={item} />
                </Cell>
              )}
            </Row>
          )}
        </TableBody>
      </TableRoot>
    </TableFrame>
  );
}

function EventCell(props: { column: ColumnId; event: CapturedEvent }) {
  const { column, event } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  switch (column) {
    case 'event':
      return <span className={styles.text}>{event.event}</span>;
    case 'user':
      return (
        <span className={styles.text}>
          {event.distinct_id ?? t('live.hidden')}
        </span>
      );
    case 'page':
      return <span className={styles.text}>{pageOf(event.properties)}</span>;
    default:
      return <RelativeTime value={event.timestamp} />;
  }
}
