import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Column,
  Row,
  TableBody,
  TableHeader,
  TableRoot,
  useBreakpoint,
} from '@backstage/ui';
import { TableFrame } from '@slipway/design-system';
import type { IncidentDetails } from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeTranslationRef } from '../../translation';
import { IncidentCell, type IncidentColumn } from './IncidentCell';
import styles from './records.module.css';

const WIDE: IncidentColumn[] = [
  'title',
  'service',
  'state',
  'severity',
  'started',
  'duration',
  'cause',
];
const MEDIUM: IncidentColumn[] = [
  'title',
  'service',
  'state',
  'started',
  'cause',
];
/** On a phone one cell holds everything. */
const NARROW: IncidentColumn[] = ['title', 'state'];

const CLASSES: Partial<Record<IncidentColumn, string>> = {
  title: styles.wide,
  service: styles.service,
  state: styles.short,
  severity: styles.short,
  started: styles.time,
  duration: `${styles.short} ${styles.number}`,
};

/** Incidents, newest first. */
export function IncidentTable(props: {
  incidents: readonly IncidentDetails[];
}) {
  const { incidents } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { up } = useBreakpoint();
  const isNarrow = !up('sm');
  const isWide = up('lg');
  const columns = useMemo(() => {
    const shown = isWide ? WIDE : MEDIUM;
    return (isNarrow ? NARROW : shown).map(id => ({ id }));
  }, [isWide, isNarrow]);
  return (
    <TableFrame className={isNarrow ? styles.narrow : undefined}>
      <TableRoot aria-label={t('incidents.label')}>
        <TableHeader columns={columns}>
          {({ id }) => (
            <Column
              id={id}
              isRowHeader={id === 'title'}
              className={CLASSES[id]}
            >
              {t(`incidents.${id}`)}
            </Column>
          )}
        </TableHeader>
        <TableBody items={incidents} dependencies={[columns, isNarrow, t]}>
          {incident => (
            <Row id={incident.id} columns={columns}>
              {({ id }: { id: IncidentColumn }) => (
                <IncidentCell
                  column={id}
                  incident={incident}
                  isNarrow={isNarrow}
                />
              )}
            </Row>
          )}
        </TableBody>
      </TableRoot>
    </TableFrame>
  );
}
