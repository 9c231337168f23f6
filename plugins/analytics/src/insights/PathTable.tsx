import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { DataTable, formatDuration } from '@slipway/design-system';
import type { PathEdge } from '../api/InsightQuery';
import { analyticsTranslationRef } from '../translation';
import { Bar } from './FunnelChart';
import { PeopleCount } from './PeopleCount';
import type { PeopleLink } from './selection';
import { formatCount, placeOf } from './valueNames';
import styles from '../analytics.module.css';

function Place({ name }: { name: string }) {
  return <span className={styles.place}>{placeOf(name).place}</span>;
}

/** Shows how people move from place to place, step by step, most frequent first. */
export function PathTable(props: {
  edges: readonly PathEdge[];
  peopleLink?: PeopleLink;
}) {
  const { edges, peopleLink } = props;
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
          cell: ({ source, target, value }) => (
            <PeopleCount
              people={value}
              href={peopleLink?.({ pathStartKey: source, pathEndKey: target })}
              label={t('actors.movedNamed', {
                visits: formatCount(value),
                from: placeOf(source).place,
                to: placeOf(target).place,
              })}
            >
              {formatCount(value)}
            </PeopleCount>
          ),
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
