import { CSSProperties, KeyboardEvent, useRef } from 'react';
import { Link } from 'react-router-dom';
import { type ChartPoint, ChartTooltip } from './ChartTooltip';

/** More dots than these make a string of pearls of a line. */
const MAX_DOTS = 60;

/** Gives the index that a key leads to from a point; undefined for keys that lead nowhere. */
function targetOf(key: string, from: number, last: number) {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1);
    case 'ArrowRight':
      return Math.min(last, from + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** The points of a chart as links in columns; one of them is in the tab order. */
export function ChartPoints(props: {
  points: readonly ChartPoint[];
  /** Parts of the scale, 0 to 1, in the order of the points. */
  heights: readonly (number | null)[];
  /** The index of the point whose tooltip is shown. */
  active: number | undefined;
  onActivate(index: number | undefined): void;
}) {
  const { points, heights, active, onActivate } = props;
  const list = useRef<HTMLUListElement>(null);
  const last = points.length - 1;
  const focused = useRef(last);
  const inTabOrder = Math.min(active ?? focused.current, last);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      onActivate(undefined);
    }
    const target = targetOf(event.key, inTabOrder, last);
    if (target !== undefined) {
      event.preventDefault();
      list.current?.querySelectorAll('a')[target]?.focus();
    }
  };

  return (
    <>
      {/* The keys move between the links that have the focus. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul
        ref={list}
        className="slw-ChartPoints"
        data-dots={points.length <= MAX_DOTS}
        onKeyDown={onKeyDown}
        onMouseLeave={() => onActivate(undefined)}
      >
        {points.map((point, index) => (
          <li key={point.id}>
            <Link
              to={point.href}
              tabIndex={index === inTabOrder ? 0 : -1}
              aria-label={[
                `${point.label}: ${point.valueText}`,
                ...(point.notes ?? []),
              ].join(', ')}
              data-active={index === active}
              data-tentative={point.tentative ?? false}
              data-empty={heights[index] === null}
              style={{ '--slw-at': heights[index] ?? 0 } as CSSProperties}
              onFocus={() => {
                focused.current = index;
                onActivate(index);
              }}
              onBlur={() => onActivate(undefined)}
              onMouseEnter={() => onActivate(index)}
            />
          </li>
        ))}
      </ul>
      {active !== undefined && points[active] && (
        <ChartTooltip
          point={points[active]}
          left={(active + 0.5) / points.length}
        />
      )}
    </>
  );
}
