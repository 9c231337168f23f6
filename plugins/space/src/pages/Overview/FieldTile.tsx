import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Tile } from '@slipway/design-system';
import type { DimensionReport, FieldName } from '../../api/types';
import { describeChange } from '../../format/fieldChange';
import { shownOf } from '../../format/fields';
import { formatField } from '../../format/fieldValue';
import { samplesText } from '../../format/samplesText';
import { spaceTranslationRef } from '../../translation';

/** A number of a dimension: its value, or why there is none to see. */
export function FieldTile(props: {
  name: FieldName;
  report: DimensionReport;
  /** Value of the period before, once it is known. */
  before: number | null | undefined;
  /** Length of the period. */
  days: number;
}) {
  const { name, report, before, days } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const shown = shownOf(name, report);
  const common = {
    label: t(`field.${name}`),
    definition: <p>{t(`definition.${name}`)}</p>,
    size: 'small',
  } as const;
  if (shown.state === 'none') {
    return <Tile {...common} value={t('value.none')} isEmpty />;
  }
  if (shown.state === 'hidden') {
    const count = report.minimumGroupSize;
    return (
      <Tile
        {...common}
        value={t('value.hidden')}
        isEmpty
        footnote={t('hidden.short', { count })}
      />
    );
  }
  const { value, samples } = shown;
  const change = describeChange(t, name, { value, before, days });
  return (
    <Tile
      {...common}
      value={formatField(t, name, value)}
      change={change}
      footnote={samplesText(t, name, samples)}
    />
  );
}
