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
import type { DeploymentDetails } from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeTranslationRef } from '../../translation';
import { DeploymentCell, type DeploymentColumn } from './DeploymentCell';
import styles from './records.module.css';

const WIDE: DeploymentColumn[] = [
  'service',
  'version',
  'environment',
  'status',
  'finished',
  'took',
  'by',
  'commit',
  'outcome',
];
/** On a small screen. */
const MEDIUM: DeploymentColumn[] = [
  'service',
  'version',
  'environment',
  'status',
  'finished',
  'outcome',
];
/** Beside the side panel. */
const COMPACT: DeploymentColumn[] = [
  'service',
  'version',
  'status',
  'finished',
  'outcome',
];
/** On a phone one cell holds everything. */
const NARROW: DeploymentColumn[] = ['service', 'status'];

const CLASSES: Partial<Record<DeploymentColumn, string>> = {
  service: styles.service,
  version: styles.version,
  status: styles.status,
  finished: styles.time,
  took: `${styles.short} ${styles.number}`,
  environment: styles.short,
  by: styles.word,
  outcome: styles.outcome,
};

/** Deployments, newest first; each row leads to its details. */
export function DeploymentTable(props: {
  deployments: readonly DeploymentDetails[];
  hrefOf(deployment: DeploymentDetails): string;
  /** The one whose details stand beside the table. */
  openId?: string;
}) {
  const { deployments, hrefOf, openId } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { up } = useBreakpoint();
  const isNarrow = !up('sm');
  const isWide = up('lg');
  const hasPanel = openId !== undefined;
  const columns = useMemo(() => {
    if (isNarrow) {
      return NARROW.map(id => ({ id }));
    }
    const withoutPanel = isWide ? WIDE : MEDIUM;
    return (hasPanel ? COMPACT : withoutPanel).map(id => ({ id }));
  }, [isWide, isNarrow, hasPanel]);
  const besidePanel = hasPanel ? styles.compact : undefined;
  return (
    <TableFrame className={isNarrow ? styles.narrow : besidePanel}>
      <TableRoot aria-label={t('deployments.label')}>
        <TableHeader columns={columns}>
          {({ id }) => (
            <Column
              id={id}
              isRowHeader={id === 'service'}
              className={CLASSES[id]}
            >
              {t(`deployment.${id}`)}
            </Column>
          )}
        </TableHeader>
        <TableBody
          items={deployments}
          dependencies={[columns, hrefOf, isNarrow, openId, t]}
        >
          {deployment => (
            <Row
              id={deployment.id}
              columns={columns}
              href={hrefOf(deployment)}
              className={deployment.id === openId ? styles.open : undefined}
            >
              {({ id }: { id: DeploymentColumn }) => (
                <DeploymentCell
                  column={id}
                  deployment={deployment}
                  href={hrefOf(deployment)}
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
