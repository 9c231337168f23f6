import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { StatusBadge, type Tone } from '@slipway/design-system';
import type { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeTranslationRef } from '../../translation';

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
