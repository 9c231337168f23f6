import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { actorName } from '@slipway/app-react';
import { RiAlertLine, RiToolsLine } from '@remixicon/react';
import {
  DataTable,
  formatDuration,
  RelativeTime,
  StatusBadge,
  type Tone,
  useUrlColumns,
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
import { ServiceTitle } from './EntityTitle';
import { RecordList } from './RecordList';
import styles from './records.module.css';

/** Shows a list of deployments, or its loading, empty or error state. */
export function DeploymentList(props: {
  list: ReturnType<typeof useDeployments>;
  hrefOf(deployment: DeploymentDetails): string;
  /** The deployment with open details. */
  openId?: string;
  /** Set if filters are active. */
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

/** A table of deployments, newest first; each row links to its details. */
function DeploymentTable(props: {
  deployments: readonly DeploymentDetails[];
  hrefOf(deployment: DeploymentDetails): string;
  /** The deployment with open details. */
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
      columnChoice={useUrlColumns()}
      columns={[
        {
          id: 'service',
          label: t('deployment.service'),
          width: '16%',
          widthBeside: '24%',
          text: ({ service }) => service,
          cell: (deployment, { isNarrow }) => {
            const name = (
              <span className={styles.clipped}>
                <Link href={hrefOf(deployment)}>
                  <ServiceTitle record={deployment} />
                </Link>
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
          width: 104,
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
          width: 116,
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
          width: 104,
          from: 'lg',
          beside: false,
          cell: ({ triggeredBy }) => (
            <span className={styles.clipped} title={triggeredBy}>
              {actorName(triggeredBy)}
            </span>
          ),
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
          width: 164,
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

/** Shows whether a deployment failed or repaired something in production, and how that is known. */
export function DeploymentMarks(props: { deployment: DeploymentDetails }) {
  const { failureCause, reworkCause } = props.deployment;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <span className={styles.marks}>
      {failureCause && (
        <StatusBadge
          tone="danger"
          // A guess has an outlined icon.
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

/** Shows the status of a deployment as a word, shape and colour. */
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

/** The length of abbreviated SHAs on code forges. */
const SHOWN = 7;

/** Shows a commit as an abbreviated SHA and the first line of its message. */
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
