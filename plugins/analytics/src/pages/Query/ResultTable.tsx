import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Cell,
  Column,
  Row,
  TableBody,
  TableHeader,
  TableRoot,
} from '@backstage/ui';
import type { QueryResult } from '../../api/types';
import { cellText } from '../../components/cellText';
import { analyticsTranslationRef } from '../../translation';
import styles from './Query.module.css';

/** What was found, column by column as it was asked for. */
export function ResultTable({ result }: { result: QueryResult }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const columns = useMemo(
    () =>
      result.columns.map((label, index) => ({ id: `column-${index}`, label })),
    [result],
  );
  const items = useMemo(
    () => result.rows.map((cells, index) => ({ id: index, cells })),
    [result],
  );
  return (
    <div className={styles.scroll}>
      <TableRoot aria-label={t('query.result')}>
        <TableHeader columns={columns}>
          {({ id, label }) => (
            <Column id={id} isRowHeader={id === 'column-0'}>
              {label}
            </Column>
          )}
        </TableHeader>
        <TableBody items={items} dependencies={[columns]}>
          {({ id, cells }) => (
            <Row id={id}>
              {cells.map((value, index) => (
                <Cell key={columns[index].id} textValue={cellText(value)}>
                  <span
                    className={
                      typeof value === 'number' ? styles.number : styles.cell
                    }
                    title={cellText(value)}
                  >
                    {cellText(value)}
                  </span>
                </Cell>
              ))}
            </Row>
          )}
        </TableBody>
      </TableRoot>
    </div>
  );
}
