import { SeriesTable, type SeriesTableProps } from './SeriesTable';
import { TimeSeriesChart, type TimeSeriesChartProps } from './TimeSeriesChart';

/** Props of {@link SeriesChart}: those of the chart, and the column headers of the table. */
export type SeriesChartProps = TimeSeriesChartProps &
  Pick<SeriesTableProps, 'columns'>;

/** A {@link TimeSeriesChart} with the same points as a table for screen readers. */
export function SeriesChart({ columns, ...chart }: SeriesChartProps) {
  const { label, points } = chart;
  return (
    <>
      <TimeSeriesChart {...chart} />
      <SeriesTable label={label} points={points} columns={columns} hidden />
    </>
  );
}
