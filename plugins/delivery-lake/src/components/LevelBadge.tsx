import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  type RemixiconComponentType,
  RiArrowUpCircleFill,
  RiStarFill,
} from '@remixicon/react';
import { StatusBadge, type Tone } from '@slipway/design-system';
import type { Performance } from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeTranslationRef } from '../translation';

const LOOKS: Record<
  Performance,
  { tone: Tone; icon?: RemixiconComponentType }
> = {
  elite: { tone: 'success', icon: RiStarFill },
  high: { tone: 'success', icon: RiArrowUpCircleFill },
  medium: { tone: 'warning' },
  low: { tone: 'danger' },
};

/** Shows a performance level as a word, shape and colour. */
export function LevelBadge({ level }: { level: Performance }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return <StatusBadge {...LOOKS[level]} label={t(`level.${level}`)} />;
}
