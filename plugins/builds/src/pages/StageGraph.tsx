import {
  type KeyboardEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { VisuallyHidden } from '@backstage/ui';
import { Link } from 'react-router-dom';
import type { BuildStep } from '../api/BuildsApi';
import { StepDuration, StepIcon } from '../components/StepState';
import { fragmentOf } from '../log/address';
import { buildsTranslationRef } from '../translation';
import { arrangeStages, type PlacedCard } from './stages';
import styles from './StageGraph.module.css';

/** A card with more steps scrolls. */
const MAX_SHOWN = 10;

/**
 * Draws the steps of a build as a dependency graph; each step links to its part of the
 * log.
 */
export function StageGraph(props: {
  label: string;
  steps: readonly BuildStep[];
}) {
  const { label, steps } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const cards = useMemo(
    () => arrangeStages(steps) ?? [listCard(steps)],
    [steps],
  );
  const columns = useMemo(() => columnsOf(cards), [cards]);
  const [active, setActive] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const order = columns.map(column => column.flatMap(card => card.steps));

  const onKeyDown = (event: KeyboardEvent) => {
    const next = targetOf(event.key, active, order);
    if (next !== undefined) {
      event.preventDefault();
      setActive(next);
      box.current?.querySelector<HTMLElement>(`[data-step="${next}"]`)?.focus();
    }
  };

  return (
    // Arrow keys move between steps; every step is a link.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={box} className={styles.graph} onKeyDown={onKeyDown}>
      <Edges cards={cards} box={box} />
      <ol className={styles.columns} aria-label={label}>
        {columns.map((column, index) => (
          <li key={index} className={styles.column}>
            {column.map(card => (
              <ul
                key={card.id}
                className={styles.card}
                data-card={card.id}
                data-chain={card.isChain || undefined}
                // A card with many steps of a matrix scrolls.
                // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
                tabIndex={card.steps.length > MAX_SHOWN ? 0 : undefined}
                aria-label={
                  card.steps.length > 1 ? cardName(card, steps) : undefined
                }
              >
                {card.steps.map(position => (
                  <li key={position}>
                    <Link
                      className={styles.step}
                      data-step={position}
                      data-state={steps[position].state}
                      to={{ hash: fragmentOf({ step: position + 1 }) }}
                      replace
                      tabIndex={position === active ? 0 : -1}
                      onFocus={() => setActive(position)}
                      title={steps[position].message ?? steps[position].name}
                    >
                      <StepIcon state={steps[position].state} />
                      <span className={styles.name}>
                        {steps[position].name}
                      </span>
                      <span className={styles.time}>
                        <StepDuration step={steps[position]} />
                      </span>
                      <VisuallyHidden>
                        {needsWords(steps, position, names =>
                          t('build.needs', { names }),
                        )}
                      </VisuallyHidden>
                    </Link>
                    {steps[position].message && (
                      <p
                        className={styles.message}
                        data-state={steps[position].state}
                      >
                        {steps[position].message}
                      </p>
                    )}
                  </li>
                ))}
              </ul>
            ))}
          </li>
        ))}
      </ol>
      <VisuallyHidden>
        <span role="status">
          {steps.find(({ state }) => state === 'failed')?.name &&
            t('build.stepFailed', {
              name: steps.find(({ state }) => state === 'failed')!.name,
            })}
        </span>
      </VisuallyHidden>
    </div>
  );
}

function listCard(steps: readonly BuildStep[]): PlacedCard {
  const positions = steps.map((_, index) => index);
  return { id: 0, steps: positions, isChain: true, column: 0, needs: [] };
}

function columnsOf(cards: readonly PlacedCard[]): PlacedCard[][] {
  const columns: PlacedCard[][] = [];
  for (const card of cards) {
    (columns[card.column] ??= []).push(card);
  }
  return columns;
}

function cardName(card: PlacedCard, steps: readonly BuildStep[]): string {
  const [first] = card.steps;
  const last = card.steps[card.steps.length - 1];
  return `${steps[first].name} – ${steps[last].name}`;
}

function needsWords(
  steps: readonly BuildStep[],
  position: number,
  word: (names: string) => string,
): string {
  const names = (steps[position].needs ?? []).map(need => steps[need]?.name);
  return names.length === 0 ? '' : word(names.slice(0, 5).join(', '));
}

/**
 * Returns the step that an arrow key moves to: up and down within a column, left and right to the
 * adjacent column.
 */
function targetOf(
  key: string,
  from: number,
  columns: readonly (readonly number[])[],
): number | undefined {
  const column = columns.findIndex(steps => steps.includes(from));
  const row = columns[column]?.indexOf(from) ?? 0;
  const at = (x: number, y: number) =>
    columns[x]?.[Math.min(y, columns[x].length - 1)];
  switch (key) {
    case 'ArrowDown':
      return columns[column]?.[row + 1];
    case 'ArrowUp':
      return columns[column]?.[row - 1];
    case 'ArrowRight':
      return at(column + 1, row);
    case 'ArrowLeft':
      return at(column - 1, row);
    default:
      return undefined;
  }
}

/** Draws the edges between dependent cards, measured from the rendered layout. */
function Edges(props: {
  cards: readonly PlacedCard[];
  box: React.RefObject<HTMLDivElement>;
}) {
  const { cards, box } = props;
  const [paths, setPaths] = useState<string[]>([]);
  const [size, setSize] = useState({ width: 0, height: 0 });
  // Children's effects run first, so this waits until the box exists.
  useEffect(() => {
    const root = box.current;
    if (!root) {
      return undefined;
    }
    const draw = () => {
      const origin = root.getBoundingClientRect();
      const placeOf = (id: number) => {
        const found = root.querySelector(`[data-card="${id}"]`);
        const { left, right, top, height } = found!.getBoundingClientRect();
        const x = root.scrollLeft - origin.left;
        const y = root.scrollTop - origin.top;
        return {
          left: left + x,
          right: right + x,
          // The line of the first step, in a tall card.
          middle: top + y + Math.min(height / 2, 19),
        };
      };
      setPaths(
        cards.flatMap(({ id, needs }) =>
          needs.map(need => {
            const [from, to] = [placeOf(need), placeOf(id)];
            const bend = (from.right + to.left) / 2;
            return `M${from.right} ${from.middle}C${bend} ${from.middle} ${bend} ${to.middle} ${to.left} ${to.middle}`;
          }),
        ),
      );
      setSize({ width: root.scrollWidth, height: root.scrollHeight });
    };
    draw();
    if (typeof ResizeObserver === 'undefined') {
      return undefined;
    }
    const observer = new ResizeObserver(draw);
    observer.observe(root);
    return () => observer.disconnect();
  }, [cards, box]);
  return (
    <svg className={styles.edges} {...size} aria-hidden>
      {paths.map((path, index) => (
        <path key={index} d={path} />
      ))}
    </svg>
  );
}
