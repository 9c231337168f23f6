import { useTranslationRef } from '@backstage/frontend-plugin-api';

import { Details, RelativeTime, formatDuration } from '@slipway/design-system';
import type { DeploymentDetails } from '@slipway/plugin-delivery-lake-common';
import { EntityLink } from '../../components/EntityLink';
import { CommitText } from '../../components/records/CommitText';
import { deliveryLakeTranslationRef } from '../../translation';

/** What is known of a deployment, in columns. */
export function DeploymentFacts(props: { deployment: DeploymentDetails }) {
  const { deployment } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { entityRef, team, project, endTime, duration, commit } = deployment;
  const link = (
    defaultKind: 'component' | 'group' | 'system',
    ref: string | null,
  ) =>
    ref ? (
      <EntityLink entityRef={ref} defaultKind={defaultKind} />
    ) : (
      t('deployment.none')
    );
  return (
    <Details
      items={[
        {
          label: t('deployment.service'),
          value: entityRef ? link('component', entityRef) : deployment.service,
        },
        { label: t('deployment.team'), value: link('group', team) },
        { label: t('deployment.project'), value: link('system', project) },
        { label: t('deployment.environment'), value: deployment.environment },
        {
          label: t('deployment.started'),
          value: <RelativeTime value={deployment.startTime} />,
        },
        {
          label: t('deployment.finished'),
          value: endTime ? (
            <RelativeTime value={endTime} />
          ) : (
            t('deployment.running')
          ),
        },
        {
          label: t('deployment.took'),
          value:
            duration === null
              ? t('deployment.running')
              : formatDuration(duration * 1000),
        },
        { label: t('deployment.by'), value: deployment.triggeredBy },
        {
          label: t('deployment.commit'),
          value: <CommitText commit={commit} />,
        },
        {
          label: t('deployment.repository'),
          value: deployment.repository ?? t('deployment.none'),
        },
        { label: t('deployment.source'), value: deployment.source },
        {
          label: t('deployment.counts'),
          value: deployment.counted ? t('deployment.yes') : t('deployment.no'),
        },
        ...(deployment.failed
          ? [
              {
                label: t('deployment.recovered'),
                value: deployment.recoveredAt ? (
                  <RelativeTime value={deployment.recoveredAt} />
                ) : (
                  t('deployment.notRecovered')
                ),
              },
            ]
          : []),
      ]}
    />
  );
}
