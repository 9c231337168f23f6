import { useEffect, useRef } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonIcon } from '@backstage/ui';
import { RiArrowLeftLine, RiArrowRightLine } from '@remixicon/react';
import { analyticsTranslationRef } from '../translation';

const MOVES = ['earlier', 'later'] as const;
/** A step in the order of a dashboard's tiles. */
export type Move = (typeof MOVES)[number];

/**
 * Returns the tiles after moving one of them past its neighbour among the shown ones. All
 * others keep their places, including tiles whose insights are not known yet.
 */
export function moveTile(
  tiles: readonly string[],
  { id, by, shown }: { id: string; by: Move; shown: readonly string[] },
): string[] {
  const neighbour = shown[shown.indexOf(id) + (by === 'earlier' ? -1 : 1)];
  const others = tiles.filter(tile => tile !== id);
  const at = others.findIndex(tile => tile === neighbour);
  return at < 0 || others.length === tiles.length
    ? [...tiles]
    : others.toSpliced(by === 'earlier' ? at : at + 1, 0, id);
}

/** The place of a tile on its dashboard. */
export interface TilePlace {
  place: number;
  count: number;
  /** The direction in which this tile was moved, if it is the one that was moved last. */
  moved: Move | undefined;
  onMove(by: Move): void;
}

/** Buttons that move a tile; the pressed button keeps the focus at the new place. */
export function TileMoves(props: TilePlace & { name: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { name, place, count, moved, onMove } = props;
  const buttons = {
    earlier: useRef<HTMLButtonElement>(null),
    later: useRef<HTMLButtonElement>(null),
  };
  const isLast = { earlier: place === 0, later: place === count - 1 };
  const wasAt = useRef(place);
  useEffect(() => {
    if (wasAt.current !== place && moved) {
      // At either end, the pressed button is disabled and cannot have the focus.
      const other = moved === 'earlier' ? 'later' : 'earlier';
      buttons[isLast[moved] ? other : moved].current?.focus();
    }
    wasAt.current = place;
  });
  return MOVES.map(by => (
    <ButtonIcon
      key={by}
      ref={buttons[by]}
      size="small"
      variant="tertiary"
      aria-label={t(`dashboard.moves.${by}`, { name })}
      isDisabled={isLast[by]}
      icon={
        by === 'earlier' ? (
          <RiArrowLeftLine aria-hidden />
        ) : (
          <RiArrowRightLine aria-hidden />
        )
      }
      onPress={() => onMove(by)}
    />
  ));
}
