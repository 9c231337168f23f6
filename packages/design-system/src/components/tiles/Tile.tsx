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

/** A change against the period before. */
export interface TileChange {
  /** The change in words, the judgement included. */
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
  /** The value with its unit, or that there is none. */
  value: string;
  /** There is none: the value is written quietly. */
  isEmpty?: boolean;
  /** A StatusBadge beside the value. */
  badge?: ReactNode;
  change?: TileChange;
  /** What the value rests on: "83 changes". */
  footnote?: ReactNode;
  /** What the label means, behind an info button. */
  definition?: ReactNode;
  /** A Sparkline. */
  chart?: ReactNode;
  size?: 'medium' | 'small';
}

/** One number with what it takes to read it. */
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
  /** What is explained; names the button. */
  about: string;
  children: ReactNode;
}

/** Explains a word beside which it stands; opens by click, touch and key. */
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
