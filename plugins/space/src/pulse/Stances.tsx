import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Text } from '@backstage/ui';
import type { DimensionReport } from '../api/SpaceApi';
import { spaceTranslationRef } from '../translation';

/**
 * Says how many people would recommend working here; renders nothing if that is hidden or nobody
 * answered.
 */
export function Stances({ report }: { report: DimensionReport }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { promoters, passives, detractors } = report.stances ?? {};
  return promoters || passives || detractors ? (
    <Text as="p" variant="body-small" color="secondary">
      {t('others.stances', {
        promoters: String(promoters),
        passives: String(passives),
        detractors: String(detractors),
      })}
    </Text>
  ) : null;
}
