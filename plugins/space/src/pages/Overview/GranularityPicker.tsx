import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ToggleButton, ToggleButtonGroup } from '@backstage/ui';
import type { Granularity } from '../../api/types';
import type { View } from '../../data/useView';
import { spaceTranslationRef } from '../../translation';

const GRANULARITIES: readonly Granularity[] = ['daily', 'weekly', 'monthly'];

/** Chooses the interval of the points of all charts. */
export function GranularityPicker({ view }: { view: View }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <ToggleButtonGroup
      aria-label={t('chart.by')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[view.granularity]}
      onSelectionChange={keys => {
        const chosen = GRANULARITIES.find(candidate => keys.has(candidate));
        if (chosen) {
          view.setGranularity(chosen);
        }
      }}
    >
      {GRANULARITIES.map(id => (
        <ToggleButton key={id} id={id} size="small">
          {t(`chart.${id}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
