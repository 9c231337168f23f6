import type { BuildStep } from '../api/BuildsApi';

/** Steps shown as one card: those of a matrix, or a chain. */
export interface StageCard {
  id: number;
  /** Indexes of the steps, in order. */
  steps: number[];
  /** True if each step depends on the one before. */
  isChain: boolean;
}

/** A card with its position and the cards that it directly depends on. */
export interface PlacedCard extends StageCard {
  /** Column, counted from 0 at the left. */
  column: number;
  /** Ids of the cards it depends on. */
  needs: number[];
}

type Steps = readonly Pick<BuildStep, 'name' | 'needs'>[];

/**
 * Arranges steps as a graph from left to right. Steps of one matrix share a card; so do steps that
 * only follow each other, because a list is easier to read than a row of boxes.
 *
 * @returns undefined if every step simply depends on the one before, because a list is sufficient.
 */
export function arrangeStages(steps: Steps): PlacedCard[] | undefined {
  const isList = steps.every(
    ({ needs }, index) =>
      index === 0 || !needs || (needs.length === 1 && needs[0] === index - 1),
  );
  if (isList) {
    return undefined;
  }
  const cards = chained(matrixCards(steps), steps);
  const cardOf = new Map(
    cards.flatMap(card => card.steps.map(step => [step, card] as const)),
  );
  const needsOf = (card: StageCard) => [
    ...new Set(
      card.steps
        .flatMap(step => steps[step].needs ?? [])
        .map(step => cardOf.get(step))
        .filter(other => other !== undefined && other !== card)
        .map(other => other!.id),
    ),
  ];
  const placed = new Map<number, PlacedCard>();
  // Dependencies come before the step in the list.
  for (const card of cards) {
    const all = needsOf(card);
    const columns = all.map(id => placed.get(id)?.column ?? 0);
    placed.set(card.id, {
      ...card,
      column: columns.length > 0 ? Math.max(...columns) + 1 : 0,
      needs: direct(all, placed),
    });
  }
  return [...placed.values()];
}

/** Removes transitive dependencies. */
function direct(
  needs: readonly number[],
  placed: ReadonlyMap<number, PlacedCard>,
): number[] {
  const behind = new Set<number>();
  const visit = (id: number) => {
    for (const next of placed.get(id)?.needs ?? []) {
      if (!behind.has(next)) {
        behind.add(next);
        visit(next);
      }
    }
  };
  needs.forEach(visit);
  return needs.filter(id => !behind.has(id));
}

/** Creates one card for each step, and one for all combinations of a matrix. */
function matrixCards(steps: Steps): StageCard[] {
  const cards = new Map<string, StageCard>();
  for (const [index, { name, needs = [] }] of steps.entries()) {
    const [, base] = /^(.+) \([^()]*\)$/.exec(name) ?? [];
    const key = base ? `${base}\n${needs.join(',')}` : `${index}`;
    const known = cards.get(key);
    if (known) {
      known.steps.push(index);
    } else {
      cards.set(key, { id: index, steps: [index], isChain: true });
    }
  }
  return [...cards.values()].map(card => ({
    ...card,
    isChain: card.steps.length === 1,
  }));
}

/**
 * Joins cards into a chain if one is the only dependent of the other and has no other
 * dependency.
 */
function chained(cards: StageCard[], steps: Steps): StageCard[] {
  const cardOf = new Map(
    cards.flatMap(card => card.steps.map(step => [step, card.id] as const)),
  );
  const followers = new Map<number, Set<number>>();
  const needed = new Map<number, Set<number>>();
  for (const card of cards) {
    for (const step of card.steps.flatMap(index => steps[index].needs ?? [])) {
      const before = cardOf.get(step);
      if (before !== undefined && before !== card.id) {
        followers.set(
          before,
          (followers.get(before) ?? new Set()).add(card.id),
        );
        needed.set(card.id, (needed.get(card.id) ?? new Set()).add(before));
      }
    }
  }
  const joined = new Map<number, StageCard>();
  const result: StageCard[] = [];
  for (const card of cards) {
    const [only, ...others] = needed.get(card.id) ?? [];
    const before = only === undefined ? undefined : joined.get(only);
    const isNext =
      others.length === 0 &&
      card.isChain &&
      before?.isChain === true &&
      followers.get(only)?.size === 1;
    if (isNext) {
      before.steps.push(...card.steps);
      joined.set(card.id, before);
    } else {
      const own = { ...card, steps: [...card.steps] };
      joined.set(card.id, own);
      result.push(own);
    }
  }
  return result;
}
