import { mixColors } from './contrast';
import { ColorMode, ModeColors, colors, tints } from './tokens';

/** Tones of badges, alerts and tiles. */
export const STATUS_TONES = ['success', 'warning', 'danger', 'info'] as const;

/** One of {@link STATUS_TONES}. */
export type StatusTone = (typeof STATUS_TONES)[number];

/** The colours of a mode with those computed from them, all as `#rrggbb`. */
export interface DerivedColors extends ModeColors {
  accentHover: string;
  accentPressed: string;
  accentSubtle: string;
  disabled: string;
  hover: string;
  pressed: string;
  /** A quiet fill behind text of the same tone. */
  subtle: Record<StatusTone, string>;
}

/**
 * Computes the colours that follow from the token table, so that a change
 * there carries through to hover, pressed, disabled and quiet fills.
 */
export function deriveColors(mode: ColorMode): DerivedColors {
  const base = colors[mode];
  const quiet = (tone: string) => mixColors(base.surface, tone, tints.status);
  return {
    ...base,
    accentHover: mixColors(base.accent, base.text, 0.18),
    accentPressed: mixColors(base.accent, base.text, 0.32),
    accentSubtle: quiet(base.accent),
    disabled: mixColors(base.muted, base.surface, 0.4),
    hover: mixColors(base.surface, base.text, tints.hover),
    pressed: mixColors(base.surface, base.text, tints.pressed),
    subtle: {
      success: quiet(base.success),
      warning: quiet(base.warning),
      danger: quiet(base.danger),
      info: quiet(base.info),
    },
  };
}
