import type { ChartPoint } from './TimeSeriesChart';

/** What a point's link says, for those who see it. `left` is 0 to 1 of the plot. */
export function ChartTooltip(props: { point: ChartPoint; left: number }) {
  const { point, left } = props;
  return (
    <div
      className="slw-ChartTooltip"
      aria-hidden
      // Moving by its own width in the same proportion keeps it inside the plot.
      style={{
        left: `${left * 100}%`,
        transform: `translate(${-left * 100}%, -100%)`,
      }}
    >
      <span>{point.label}</span>
      <strong>{point.valueText}</strong>
      {point.notes?.map(note => (
        <span key={note}>{note}</span>
      ))}
    </div>
  );
}
