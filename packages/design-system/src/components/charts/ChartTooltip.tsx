/** One day, week or month of a a chart over time. */
export interface ChartPoint {
  /** Unique among the points. */
  id: string;
  /** The time in words: "2 to 8 November 2026". */
  label: string;
  /** The same under the axis: "2 Nov". */
  tick: string;
  /** null: there is none, which is not 0. */
  value: number | null;
  /** The value with its unit, or that there is none. */
  valueText: string;
  /** What else there is to know: "16 deployments", "may still change". */
  notes?: readonly string[];
  /** Not final; drawn hollow, hatched or dashed. */
  tentative?: boolean;
  /** Page of what stands behind the point. */
  href: string;
}

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
