import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { RiAlertLine, RiToolsLine } from '@remixicon/react';
import {
  DataTable,
  formatDuration,
  RelativeTime,
  StatusBadge,
  type Tone,
} from '@slipway/design-system';
import type {
  Deployment,
  DeploymentDetails,
  DeploymentStatus,
  FailureCause,
  ReworkCause,
} from '@slipway/plugin-delivery-lake-common';
import type { useDeployments } from '../queries';
import { deliveryLakeTranslationRef } from '../translation';
import { RecordList } from './RecordList';
import styles from './records.module.css';

/** A list of deployments in whatever state it is. */
export function DeploymentList(props: {
  list: ReturnType<typeof useDeployments>;
  hrefOf(deployment: DeploymentDetails): string;
  /** The one whose details stand beside the list. */
  openId?: string;
  /** Given while filters narrow the list. */
  onClearFilters?: () => void;
}) {
  const { list, hrefOf, openId, onClearFilters } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const deployments = list.data?.pages.flatMap(page => page.deployments) ?? [];
  return (
    <RecordList
      list={list}
      texts={{
        failed: t('deployments.failed'),
        loading: t('deployments.loading'),
        emptyTitle: t('deployments.emptyTitle'),
        emptyDescription: t('deployments.emptyDescription'),
      }}
      isEmpty={deployments.length === 0}
      onClearFilters={onClearFilters}
    >
      <DeploymentTable
        deployments={deployments}
        hrefOf={hrefOf}
        openId={openId}
      />
    </RecordList>
  );
}

/** Deployments, newest first; each row leads to its details. */
function DeploymentTable(props: {
  deployments: readonly DeploymentDetails[];
  hrefOf(deployment: DeploymentDetails): string;
  /** The one whose details stand beside the table. */
  openId?: string;
}) {
  const { deployments, hrefOf, openId } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <DataTable
      label={t('deployments.label')}
      rows={deployments}
      rowId={({ id }) => id}
      selectedId={openId}
      hrefOf={hrefOf}
      columns={[
        {
          id: 'service',
          label: t('deployment.service'),
          width: '14%',
          widthBeside: '24%',
          text: ({ service }) => service,
          cell: (deployment, { isNarrow }) => {
            const name = (
              <span className={styles.clipped}>
                <Link href={hrefOf(deployment)}>{deployment.service}</Link>
              </span>
            );
            return isNarrow ? (
              <div className={styles.stacked}>
                {name}
                <span className={styles.beside}>
                  <span>{deployment.version}</span>
                  <span>{deployment.environment}</span>
                  <FinishTime deployment={deployment} />
                </span>
                <DeploymentMarks deployment={deployment} />
              </div>
            ) : (
              name
            );
          },
        },
        {
          id: 'version',
          label: t('deployment.version'),
          width: 124,
          from: 'sm',
          cell: ({ version }) => version,
        },
        {
          id: 'environment',
          label: t('deployment.environment'),
          width: 104,
          from: 'sm',
          beside: false,
          cell: ({ environment }) => environment,
        },
        {
          id: 'status',
          label: t('deployment.status'),
          width: 128,
          cell: ({ status }) => <DeploymentStatusBadge status={status} />,
        },
        {
          id: 'finished',
          label: t('deployment.finished'),
          width: 120,
          from: 'sm',
          cell: deployment => <FinishTime deployment={deployment} />,
        },
        {
          id: 'took',
          label: t('deployment.took'),
          width: 104,
          isNumber: true,
          from: 'lg',
          beside: false,
          cell: ({ duration }) =>
            duration !== null && formatDuration(duration * 1000),
        },
        {
          id: 'by',
          label: t('deployment.by'),
          width: 84,
          from: 'lg',
          beside: false,
          cell: ({ triggeredBy }) => triggeredBy,
        },
        {
          id: 'commit',
          label: t('deployment.commit'),
          from: 'lg',
          beside: false,
          cell: ({ commit }) => <CommitText commit={commit} />,
        },
        {
          id: 'outcome',
          label: t('deployment.outcome'),
          width: '17%',
          widthBeside: '27%',
          from: 'sm',
          cell: deployment => <DeploymentMarks deployment={deployment} />,
        },
      ]}
    />
  );
}

function FinishTime({ deployment }: { deployment: DeploymentDetails }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return deployment.endTime ? (
    <RelativeTime value={deployment.endTime} />
  ) : (
    <span className={styles.muted}>{t('deployment.running')}</span>
  );
}

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

const TONES: Record<DeploymentStatus, Tone> = {
  PENDING: 'neutral',
  IN_PROGRESS: 'info',
  SUCCESS: 'success',
  FAILURE: 'danger',
  CANCELLED: 'neutral',
  ROLLED_BACK: 'warning',
};

/** How a deployment went, as word, shape and colour. */
export function DeploymentStatusBadge(props: { status: DeploymentStatus }) {
  const { status } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <StatusBadge
      tone={TONES[status]}
      busy={status === 'IN_PROGRESS'}
      label={t(`status.${status}`)}
    />
  );
}

/** The number of digits of a SHA that forges show. */
const SHOWN = 7;

/** A commit as the beginning of its SHA and the first line of its message. */
export function CommitText(props: {
  commit: Pick<Deployment['commit'], 'sha' | 'message'>;
}) {
  const { sha, message } = props.commit;
  const [subject] = message.split('\n');
  return (
    <span className={styles.clipped} title={message}>
      <span className={styles.sha}>{sha.slice(0, SHOWN)}</span> {subject}
    </span>
  );
}
