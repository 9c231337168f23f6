import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { DataTable, formatDuration } from '@slipway/design-system';
import type { PathEdge } from '../api/InsightQuery';
import { analyticsTranslationRef } from '../translation';
import { Bar } from './FunnelChart';
import { formatCount } from './valueNames';
import styles from '../analytics.module.css';

/** Splits a name into the number of its step and the place. */
function placeOf(name: string): { step: number; place: string } {
  const at = name.indexOf('_');
  return { step: Number(name.slice(0, at)), place: name.slice(at + 1) };
}

function Place({ name }: { name: string }) {
  return <span className={styles.place}>{placeOf(name).place}</span>;
}

/** Shows how people move from place to place, step by step, most frequent first. */
export function PathTable({ edges }: { edges: readonly PathEdge[] }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const ofStep = new Map<number, number>();
  for (const { source, value } of edges) {
    const { step } = placeOf(source);
    ofStep.set(step, (ofStep.get(step) ?? 0) + value);
  }
  const rows = [...edges].sort(
    (a, b) =>
      placeOf(a.source).step - placeOf(b.source).step || b.value - a.value,
  );
  return (
    <DataTable<PathEdge>
      isPlain
      label={t('insight.paths')}
      rows={rows}
      rowId={({ source, target }) => `${source} ${target}`}
      columns={[
        {
          id: 'step',
          label: t('insight.step'),
          width: 72,
          cell: ({ source }) => placeOf(source).step,
        },
        {
          id: 'from',
          label: t('insight.from'),
          cell: ({ source }) => <Place name={source} />,
        },
        {
          id: 'to',
          label: t('insight.to'),
          cell: ({ target }) => <Place name={target} />,
        },
        {
          id: 'visits',
          label: t('insight.visits'),
          isNumber: true,
          cell: ({ value }) => formatCount(value),
        },
        {
          id: 'share',
          label: t('insight.shareOfStep'),
          from: 'sm',
          cell: ({ source, value }) => (
            <Bar part={value} whole={ofStep.get(placeOf(source).step) ?? 0} />
          ),
        },
        {
          id: 'time',
          label: t('insight.averageTime'),
          from: 'xs',
          isNumber: true,
          cell: ({ average_conversion_time: time }) => formatDuration(time),
        },
      ]}
    />
  );
}
