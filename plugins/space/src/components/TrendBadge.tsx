import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  type RemixiconComponentType,
  RiArrowRightDownLine,
  RiArrowRightLine,
  RiArrowRightUpLine,
} from '@remixicon/react';
import { StatusBadge, type Tone } from '@slipway/design-system';
import type { DimensionReport, Trend } from '../api/types';
import { UNJUDGED } from '../format/fields';
import { spaceTranslationRef } from '../translation';

const ICONS: Record<Trend, RemixiconComponentType> = {
  improving: RiArrowRightUpLine,
  stable: RiArrowRightLine,
  declining: RiArrowRightDownLine,
};
const TONES: Record<Trend, Tone> = {
  improving: 'success',
  stable: 'neutral',
  declining: 'danger',
};
const UNJUDGED_WORDS = {
  improving: 'trend.more',
  stable: 'trend.same',
  declining: 'trend.less',
} as const;

/** Says how a dimension changes, in words; for activity only that it is more or less. */
export function TrendBadge({ report }: { report: DimensionReport }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { dimension, trend } = report;
  const isUnjudged = UNJUDGED.includes(dimension);
  return (
    <StatusBadge
      tone={isUnjudged ? 'neutral' : TONES[trend]}
      icon={ICONS[trend]}
      label={t(isUnjudged ? UNJUDGED_WORDS[trend] : `trend.${trend}`)}
    />
  );
}
