import { VisuallyHidden } from '@backstage/ui';
import { Link } from 'react-router-dom';
import {
  type ChartPoint,
  TimeSeriesChart,
  type TimeSeriesChartProps,
} from './TimeSeriesChart';
import './SeriesTable.css';

/** Props of {@link SeriesTable}. */
export interface SeriesTableProps {
  /** Caption: the title of the chart. */
  label: string;
  points: readonly ChartPoint[];
  /** Column headers. */
  columns: { time: string; value: string; notes: string };
  /** True to make the table visible only to screen readers, next to the chart. */
  hidden?: boolean;
}

/** The points of a chart as a table, newest first like other tables. */
export function SeriesTable(props: SeriesTableProps) {
  const { label, points, columns, hidden = false } = props;
  const table = (
    <table className="slw-SeriesTable">
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">{columns.time}</th>
          <th scope="col">{columns.value}</th>
          <th scope="col">{columns.notes}</th>
        </tr>
      </thead>
      <tbody>
        {[...points].reverse().map(point => (
          <tr key={point.id}>
            <th scope="row">
              {/* Hidden content must not be focusable. */}
              {hidden ? (
                point.label
              ) : (
                <Link to={point.href}>{point.label}</Link>
              )}
            </th>
            <td>{point.valueText}</td>
            <td>
              {[...(point.notes ?? []), ...(point.marks ?? [])].join(', ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
  return hidden ? (
    <VisuallyHidden>{table}</VisuallyHidden>
  ) : (
    <div className="slw-SeriesTableFrame">{table}</div>
  );
}

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
