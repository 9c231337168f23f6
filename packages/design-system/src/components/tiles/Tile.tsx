import { ReactNode, useId } from 'react';
import { ButtonIcon, DialogTrigger, Popover } from '@backstage/ui';
import {
  type RemixiconComponentType,
  RiArrowRightDownLine,
  RiArrowRightLine,
  RiArrowRightUpLine,
  RiInformationLine,
} from '@remixicon/react';
import { messages } from '../../messages';
import './Tile.css';

/** A change from the previous period. */
export interface TileChange {
  /** The change in words, including whether it is good. */
  text: string;
  direction: 'up' | 'down' | 'none';
  judgement: 'better' | 'worse' | 'neutral';
}

const ARROWS: Record<TileChange['direction'], RemixiconComponentType> = {
  up: RiArrowRightUpLine,
  down: RiArrowRightDownLine,
  none: RiArrowRightLine,
};

/** Props of {@link Tile}. */
export interface TileProps {
  label: string;
  /** The value with its unit, or a text for no value. */
  value: string;
  /** True if there is no value: the text is muted. */
  isEmpty?: boolean;
  /** A StatusBadge next to the value. */
  badge?: ReactNode;
  change?: TileChange;
  /** Basis of the value: "83 changes". */
  footnote?: ReactNode;
  /** The definition of the label, shown by an info button. */
  definition?: ReactNode;
  /** A Sparkline. */
  chart?: ReactNode;
  size?: 'medium' | 'small';
}

/** One number with the context needed to interpret it. */
export function Tile(props: TileProps) {
  const { label, value, isEmpty = false, badge, change } = props;
  const { footnote, definition, chart, size = 'medium' } = props;
  const labelId = useId();
  const Arrow = ARROWS[change?.direction ?? 'none'];
  return (
    <div
      className="slw-Tile"
      role="group"
      aria-labelledby={labelId}
      data-size={size}
    >
      <div className="slw-TileHead">
        <span className="slw-TileLabel" id={labelId}>
          {label}
        </span>
        {definition && <InfoButton about={label}>{definition}</InfoButton>}
      </div>
      <div className="slw-TileMain">
        <span className="slw-TileValue" data-empty={isEmpty}>
          {value}
        </span>
        {badge}
      </div>
      {change && (
        <span className="slw-TileChange" data-judgement={change.judgement}>
          <Arrow size={16} aria-hidden />
          <span>{change.text}</span>
        </span>
      )}
      {chart && <div className="slw-TileChart">{chart}</div>}
      {footnote && <span className="slw-TileFootnote">{footnote}</span>}
    </div>
  );
}

/** Props of {@link InfoButton}. */
export interface InfoButtonProps {
  /** Subject of the explanation; part of the button's accessible name. */
  about: string;
  children: ReactNode;
}

/** Explains the term next to it; opens by click, touch and keyboard. */
export function InfoButton({ about, children }: InfoButtonProps) {
  const name = messages.about(about);
  return (
    <DialogTrigger>
      <ButtonIcon
        className="slw-InfoButton"
        size="small"
        variant="tertiary"
        aria-label={name}
        icon={<RiInformationLine size={16} />}
      />
      <Popover aria-label={name}>
        <div className="slw-InfoText">{children}</div>
      </Popover>
    </DialogTrigger>
  );
}
