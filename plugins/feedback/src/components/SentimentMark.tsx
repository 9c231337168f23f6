import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  RiEmotionLine,
  RiEmotionNormalLine,
  RiEmotionUnhappyLine,
} from '@remixicon/react';
import { StatusBadge, type Tone } from '@slipway/design-system';
import type { Sentiment } from '../api/types';
import { feedbackTranslationRef } from '../translation';

const TONES: Record<Sentiment, Tone> = {
  positive: 'success',
  neutral: 'neutral',
  negative: 'danger',
};
const ICONS = {
  positive: RiEmotionLine,
  neutral: RiEmotionNormalLine,
  negative: RiEmotionUnhappyLine,
};

/** How feedback was meant, as a face and a word. */
export function SentimentMark({ sentiment }: { sentiment: Sentiment }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  return (
    <StatusBadge
      tone={TONES[sentiment]}
      icon={ICONS[sentiment]}
      label={t(`sentiment.${sentiment}`)}
    />
  );
}
