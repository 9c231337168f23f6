import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Cell, CellText, Link } from '@backstage/ui';
import { RelativeTime, formatDuration } from '@slipway/design-system';
import type { DeploymentDetails } from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeTranslationRef } from '../../translation';
import { CommitText } from './CommitText';
import { DeploymentMarks } from './DeploymentMarks';
import { DeploymentStatusBadge } from './DeploymentStatusBadge';
import styles from './records.module.css';

/** Columns of the table; the first is the row's header. */
export type DeploymentColumn =
  | 'service'
  | 'version'
  | 'environment'
  | 'status'
  | 'finished'
  | 'took'
  | 'by'
  | 'commit'
  | 'outcome';

/** One cell of the table of deployments. */
export function DeploymentCell(props: {
  column: DeploymentColumn;
  deployment: DeploymentDetails;
  href: string;
  isNarrow: boolean;
}) {
  const { column, deployment, href, isNarrow } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  switch (column) {
    case 'service':
      return isNarrow ? (
        <NarrowCell deployment={deployment} href={href} />
      ) : (
        <Cell textValue={deployment.service}>
          <span className={styles.clipped}>
            <Link href={href}>{deployment.service}</Link>
          </span>
        </Cell>
      );
    case 'version':
      return <CellText title={deployment.version} />;
    case 'environment':
      return <CellText title={deployment.environment} />;
    case 'status':
      return (
        <Cell textValue={deployment.status}>
          <DeploymentStatusBadge status={deployment.status} />
        </Cell>
      );
    case 'finished':
      return (
        <Cell textValue={deployment.endTime ?? ''}>
          <FinishTime deployment={deployment} />
        </Cell>
      );
    case 'took':
      return (
        <Cell textValue={String(deployment.duration)} className={styles.number}>
          {deployment.duration !== null &&
            formatDuration(deployment.duration * 1000)}
        </Cell>
      );
    case 'by':
      return <CellText title={deployment.triggeredBy} />;
    case 'commit':
      return (
        <Cell textValue={deployment.commit.sha}>
          <CommitText commit={deployment.commit} />
        </Cell>
      );
    case 'outcome':
      return (
        <Cell textValue={t('deployment.outcome')}>
          <DeploymentMarks deployment={deployment} />
        </Cell>
      );
    default:
      return column satisfies never;
  }
}

function FinishTime({ deployment }: { deployment: DeploymentDetails }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return deployment.endTime ? (
    <RelativeTime value={deployment.endTime} />
  ) : (
    <span className={styles.muted}>{t('deployment.running')}</span>
  );
}

function NarrowCell(props: { deployment: DeploymentDetails; href: string }) {
  const { deployment, href } = props;
  return (
    <Cell textValue={deployment.service}>
      <div className={styles.stacked}>
        <span className={styles.clipped}>
          <Link href={href}>{deployment.service}</Link>
        </span>
        <span className={styles.beside}>
          <span>{deployment.version}</span>
          <span>{deployment.environment}</span>
          <FinishTime deployment={deployment} />
        </span>
        <DeploymentMarks deployment={deployment} />
      </div>
    </Cell>
  );
}
