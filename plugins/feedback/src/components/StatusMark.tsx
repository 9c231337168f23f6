import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { StatusBadge, type Tone } from '@slipway/design-system';
import type { Status } from '../api/types';
import { feedbackTranslationRef } from '../translation';

const TONES: Record<Status, Tone> = {
  new: 'info',
  validated: 'warning',
  in_progress: 'warning',
  resolved: 'success',
  archived: 'neutral',
};

/** How far feedback is. */
export function StatusMark({ status }: { status: Status }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  return <StatusBadge tone={TONES[status]} label={t(`status.${status}`)} />;
}
