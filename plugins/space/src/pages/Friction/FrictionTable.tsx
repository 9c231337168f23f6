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
import { TableFrame } from '@slipway/design-system';
import type { FrictionCategory } from '../../api/types';
import { formatMinutes } from '../../format/minutesLost';
import { categoryName } from '../../friction/categories';
import { spaceTranslationRef } from '../../translation';
import styles from './FrictionPage.module.css';

type ColumnId = 'category' | 'time' | 'share' | 'reporters' | 'entries';

const WIDE: ColumnId[] = ['category', 'time', 'share', 'reporters', 'entries'];
/** On a phone: who and how long. */
const NARROW: ColumnId[] = ['category', 'time', 'reporters'];

const NUMBERS: ColumnId[] = ['time', 'reporters', 'entries'];

/** Friction by category, costliest first, as the service ranks it. */
export function FrictionTable(props: {
  items: readonly FrictionCategory[];
  hrefOf(category: string): string;
}) {
  const { items, hrefOf } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const { up } = useBreakpoint();
  const isNarrow = !up('sm');
  const columns = useMemo(
    () => (isNarrow ? NARROW : WIDE).map(id => ({ id })),
    [isNarrow],
  );
  const total = items.reduce((sum, item) => sum + item.minutesLost, 0);
  return (
    <TableFrame>
      <TableRoot aria-label={t('friction.label')}>
        <TableHeader columns={columns}>
          {({ id }) => (
            <Column
              id={id}
              isRowHeader={id === 'category'}
              className={NUMBERS.includes(id) ? styles.number : undefined}
            >
              {t(`friction.${id}`)}
            </Column>
          )}
        </TableHeader>
        <TableBody items={items} dependencies={[columns, total, t, hrefOf]}>
          {item => (
            <Row id={item.category} columns={columns}>
              {({ id }: { id: ColumnId }) => (
                <Cell
                  textValue={id === 'category' ? item.category : undefined}
                  className={NUMBERS.includes(id) ? styles.number : undefined}
                >
                  <FrictionCell
                    column={id}
                    item={item}
                    total={total}
                    href={hrefOf(item.category)}
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

function FrictionCell(props: {
  column: ColumnId;
  item: FrictionCategory;
  /** Minutes of all categories. */
  total: number;
  href: string;
}) {
  const { column, item, total, href } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  switch (column) {
    case 'category':
      return <Link href={href}>{categoryName(t, item.category)}</Link>;
    case 'time':
      return <>{formatMinutes(item.minutesLost)}</>;
    case 'share': {
      const percent = total === 0 ? 0 : (item.minutesLost / total) * 100;
      return (
        <span
          className={styles.share}
          style={{ width: `${percent}%` }}
          role="img"
          aria-label={`${Math.round(percent)}%`}
        />
      );
    }
    case 'reporters':
      return <>{item.reporters}</>;
    default:
      return <>{item.entries}</>;
  }
}
