import {
  breakpoints,
  ColorMode,
  deriveColors,
  DerivedColors,
  fontFamilies,
  fontSizes,
  fontWeights,
  motion,
  radii,
  shadows,
  spaceSteps,
  spaceUnit,
  STATUS_TONES,
  StatusTone,
} from './tokens';

/** Values of CSS variables by name. */
export type Variables = Readonly<Record<string, string>>;

/**
 * Returns a variable for each value; its name consists of the prefix and the key.
 *
 * @param format - converts a value to CSS.
 */
function named<T>(
  prefix: string,
  values: Readonly<Record<string, T>>,
  format: (value: T) => string = String,
): Variables {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      `--slipway-${prefix}${kebabCase(key)}`,
      format(value),
    ]),
  );
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

const pixels = (value: number) => `${value}px`;

/** The `--slipway-*` variables that do not depend on the mode, in groups. */
export const scaleTokens = {
  families: named('font-', fontFamilies),
  sizes: named('font-', fontSizes, size => `${size / 16}rem`),
  weights: named('weight-', fontWeights),
  spaces: named(
    'space-',
    Object.fromEntries(spaceSteps.map(step => [step, step * spaceUnit])),
    pixels,
  ),
  radii: named('radius-', radii, pixels),
  motion: named('motion-', motion, milliseconds => `${milliseconds}ms`),
  breakpoints: named('breakpoint-', breakpoints, pixels),
};

/** Returns the `--slipway-*` variables of one mode, in groups. */
export function modeTokens(mode: ColorMode) {
  const { chart, subtle, ...plain } = deriveColors(mode);
  return {
    colors: {
      ...named('', plain),
      ...Object.fromEntries(
        STATUS_TONES.map(tone => [`--slipway-${tone}-subtle`, subtle[tone]]),
      ),
    } as Variables,
    chart: named(
      'chart-',
      Object.fromEntries(chart.map((color, index) => [index + 1, color])),
    ),
    shadows: named('', { shadow: shadows[mode] }),
  };
}

/** Merges groups of variables. */
function allOf(groups: Readonly<Record<string, Variables>>): Variables {
  return Object.assign({}, ...Object.values(groups));
}

function rule(selector: string, variables: Variables): string {
  const lines = Object.entries(variables).map(
    ([name, value]) => `  ${name}: ${value};`,
  );
  // Prettier would reformat the colours, and the file would differ from the generated one.
  return `/* prettier-ignore */\n${selector} {\n${lines.join('\n')}\n}\n`;
}

function modeVariables(mode: ColorMode): Variables {
  return {
    ...allOf(modeTokens(mode)),
    ...buiColorVariables(mode, deriveColors(mode)),
  };
}

/**
 * Renders the variables of both modes as CSS. The selectors are those of `@backstage/ui`, whose own
 * rules are in cascade layers, so these win without a higher specificity.
 */
export function renderThemeCss(): string {
  return [
    '/* Generated from src/tokens by `yarn generate`. */\n',
    rule(":root,\n[data-theme-mode='light']", {
      ...allOf(scaleTokens),
      ...buiScaleVariables(),
      ...modeVariables('light'),
    }),
    rule("[data-theme-mode='dark']", modeVariables('dark')),
  ].join('\n');
}

/**
 * The names of our tones in `@backstage/ui`: in its current tokens, and in those it keeps for older
 * components.
 */
const BUI_TONES: Record<StatusTone, { present: string; older: string }> = {
  success: { present: 'positive', older: 'success' },
  warning: { present: 'warning', older: 'warning' },
  danger: { present: 'negative', older: 'danger' },
  info: { present: 'announcement', older: 'info' },
};

function toneVariables(tone: StatusTone, c: DerivedColors) {
  const { present, older } = BUI_TONES[tone];
  return {
    [`--bui-fg-${present}`]: c[tone],
    [`--bui-${present}-border`]: c[tone],
    [`--bui-${present}-bg`]: c[tone],
    [`--bui-${present}-bg-hover`]: c[tone],
    [`--bui-${present}-bg-disabled`]: c.line,
    [`--bui-${present}-bg-subdued`]: c.subtle[tone],
    [`--bui-${present}-bg-subdued-hover`]: c.subtle[tone],
    [`--bui-${present}-bg-subdued-disabled`]: c.subtle[tone],
    [`--bui-${present}-fg`]: c.onStatus,
    [`--bui-${present}-fg-disabled`]: c.disabled,
    [`--bui-${present}-fg-subdued`]: c[tone],
    [`--bui-${present}-fg-subdued-disabled`]: c.disabled,
    [`--bui-fg-${older}`]: c[tone],
    [`--bui-fg-${older}-on-bg`]: c[tone],
    [`--bui-bg-${older}`]: c.subtle[tone],
    [`--bui-border-${older}`]: c[tone],
  };
}

/**
 * Returns the `--bui-*` variables of one mode. `@backstage/ui` nests backgrounds in four levels;
 * ours alternate between surface and app (light) or surface and raised (dark), because our boxes
 * are separated by borders, not shades.
 */
function buiColorVariables(
  mode: ColorMode,
  c: DerivedColors,
): Record<string, string> {
  const even = mode === 'light' ? c.app : c.raised;
  const levels = [c.surface, even, c.surface, even];
  const variables: Record<string, string> = {
    '--bui-bg-app': c.app,
    '--bui-fg-primary': c.text,
    '--bui-fg-secondary': c.muted,
    '--bui-fg-disabled': c.disabled,
    '--bui-border-1': c.line,
    '--bui-border-2': c.line,
    '--bui-ring': c.accent,
    '--bui-scrollbar': 'transparent',
    '--bui-scrollbar-thumb': c.control,
    // Its replacement is not released yet, and its own components still use it.
    // eslint-disable-next-line @backstage/no-deprecated-bui-tokens
    '--bui-shadow': shadows[mode],
  };
  levels.forEach((color, index) => {
    const name = `--bui-bg-neutral-${index + 1}`;
    variables[name] = color;
    variables[`${name}-hover`] = c.hover;
    variables[`${name}-pressed`] = c.pressed;
    variables[`${name}-disabled`] = color;
  });
  const accent = {
    'accent-bg': c.accent,
    'accent-bg-hover': c.accentHover,
    'accent-bg-disabled': c.line,
    'accent-fg': c.onAccent,
    'accent-fg-disabled': c.disabled,
    'bg-solid': c.accent,
    'bg-solid-hover': c.accentHover,
    'bg-solid-pressed': c.accentPressed,
    'bg-solid-disabled': c.line,
    'fg-solid': c.onAccent,
    'fg-solid-disabled': c.disabled,
  };
  for (const [name, value] of Object.entries(accent)) {
    variables[`--bui-${name}`] = value;
  }
  return Object.assign(
    variables,
    ...STATUS_TONES.map(tone => toneVariables(tone, c)),
  );
}

/** Returns the `--bui-*` variables that do not depend on the mode. */
function buiScaleVariables(): Record<string, string> {
  return {
    '--bui-font-regular': fontFamilies.sans,
    '--bui-font-monospace': fontFamilies.mono,
    '--bui-radius-1': '2px',
    '--bui-radius-2': '6px',
    '--bui-radius-3': '6px',
    '--bui-radius-4': '10px',
    '--bui-radius-5': '10px',
    '--bui-radius-6': '10px',
  };
}
