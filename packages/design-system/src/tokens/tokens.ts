import { mixColors } from './contrast';

/** The two colour modes, as in `data-theme-mode`. */
export type ColorMode = 'light' | 'dark';

/**
 * The colours of one mode, as `#rrggbb`. Every text colour has a contrast of at least 4.5:1 on
 * every surface, every control border of 3:1 (contrast.test.ts).
 */
export interface ModeColors {
  app: string;
  surface: string;
  raised: string;
  line: string;
  control: string;
  text: string;
  muted: string;
  accent: string;
  onAccent: string;
  success: string;
  warning: string;
  danger: string;
  info: string;
  /** Text on a background of `success`, `warning`, `danger` or `info`. */
  onStatus: string;
  /** Colours of lines and bars, in the order in which a chart uses them. */
  chart: readonly string[];
}

/** The colours of both modes. */
export const colors: Record<ColorMode, ModeColors> = {
  light: {
    app: '#F6F7F9',
    surface: '#FFFFFF',
    raised: '#FFFFFF',
    line: '#DDE2E8',
    control: '#7C8896',
    text: '#17202B',
    muted: '#545F6D',
    accent: '#0A6583',
    onAccent: '#FFFFFF',
    success: '#1B7A48',
    warning: '#8A5800',
    danger: '#B42318',
    info: '#2558B8',
    onStatus: '#FFFFFF',
    chart: [
      '#0A6583',
      '#C2571A',
      '#5B4BC4',
      '#2E7D32',
      '#B0307A',
      '#8A6D00',
      '#4A6FA5',
      '#7A4B2A',
    ],
  },
  dark: {
    app: '#0D131A',
    surface: '#141C25',
    raised: '#1B2530',
    line: '#2A3745',
    control: '#718194',
    text: '#E9EEF3',
    muted: '#A5B1BF',
    accent: '#5AC3E2',
    onAccent: '#06212B',
    success: '#4FC58C',
    warning: '#F0BA57',
    danger: '#FF8E86',
    info: '#8FB4FF',
    onStatus: '#0D131A',
    chart: [
      '#5AC3E2',
      '#F2A35E',
      '#A99CFF',
      '#7FD08A',
      '#F08CC4',
      '#E3C75A',
      '#9DB9E8',
      '#D3A482',
    ],
  },
};

/** Shadows of elements that float above a page: menus, dialogs. Everything else has borders. */
export const shadows: Record<ColorMode, string> = {
  light: '0 8px 24px -6px rgb(23 32 43 / 0.18)',
  dark: '0 8px 24px -6px rgb(0 0 0 / 0.6)',
};

/**
 * Share of the text colour that is mixed into a surface on hover, when pressed and for status.
 */
export const tints = { hover: 0.03, pressed: 0.05, status: 0.1 } as const;

/** CSS font stacks for text and for code. */
export const fontFamilies = {
  sans: "'Inter Variable', Inter, system-ui, sans-serif",
  mono: "'JetBrains Mono Variable', 'JetBrains Mono', ui-monospace, monospace",
} as const;

/** Type scale in pixels; `body` is the default. */
export const fontSizes = {
  caption: 12,
  small: 13,
  body: 14,
  lead: 16,
  title: 20,
  display: 24,
} as const;

export const fontWeights = { regular: 400, medium: 500, bold: 600 } as const;

/** Unit of the space grid in pixels. */
export const spaceUnit = 4;

/** Multiples of {@link spaceUnit} that have a variable. */
export const spaceSteps = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16] as const;

/** Corner radii in pixels. */
export const radii = { control: 6, card: 10, full: 9999 } as const;

/** Durations in milliseconds; all become 0 with reduced motion. */
export const motion = { quick: 120, calm: 180 } as const;

/**
 * Window widths in pixels from which layouts change, as in `@backstage/ui`. Media queries contain
 * them as numbers, because they cannot read variables.
 */
export const breakpoints = {
  xs: 640,
  sm: 768,
  md: 1024,
  lg: 1280,
  xl: 1536,
} as const;

/** Tones of badges, alerts and tiles. */
export const STATUS_TONES = ['success', 'warning', 'danger', 'info'] as const;

/** Names of the colours that text may have. */
export const TEXT_COLORS = [
  'text',
  'muted',
  'accent',
  ...STATUS_TONES,
] as const;

/** One of {@link STATUS_TONES}. */
export type StatusTone = (typeof STATUS_TONES)[number];

/** The colours of a mode and those computed from them, all as `#rrggbb`. */
export interface DerivedColors extends ModeColors {
  accentHover: string;
  accentPressed: string;
  accentSubtle: string;
  disabled: string;
  hover: string;
  pressed: string;
  /** A subtle background for text of the same tone. */
  subtle: Record<StatusTone, string>;
}

/**
 * Computes the colours that depend on the token table, so that changes there apply to hover,
 * pressed, disabled and subtle backgrounds.
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
