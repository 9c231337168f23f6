import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { RiAlertLine, RiToolsLine } from '@remixicon/react';
import { StatusBadge } from '@slipway/design-system';
import type {
  DeploymentDetails,
  FailureCause,
  ReworkCause,
} from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeTranslationRef } from '../../translation';
import styles from './records.module.css';

const FAILURES = {
  incident: 'mark.failedIncident',
  rollback: 'mark.failedRollback',
  guess: 'mark.failedGuess',
} as const satisfies Record<FailureCause, string>;

const REWORK = {
  declared: 'mark.reworkDeclared',
  rollback: 'mark.reworkRollback',
  guess: 'mark.reworkGuess',
} as const satisfies Record<ReworkCause, string>;

/** What a deployment did in production: failed, and how that is known; repaired. */
export function DeploymentMarks(props: { deployment: DeploymentDetails }) {
  const { failureCause, reworkCause } = props.deployment;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <span className={styles.marks}>
      {failureCause && (
        <StatusBadge
          tone="danger"
          // A guess has the outline of what is known.
          icon={failureCause === 'guess' ? RiAlertLine : undefined}
          label={t(FAILURES[failureCause])}
        />
      )}
      {reworkCause && (
        <StatusBadge
          tone="info"
          icon={RiToolsLine}
          label={t(REWORK[reworkCause])}
        />
      )}
    </span>
  );
}
