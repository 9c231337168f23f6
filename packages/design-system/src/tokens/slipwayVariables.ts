import { DerivedColors, STATUS_TONES } from './derived';
import {
  ColorMode,
  fontFamilies,
  fontSizes,
  fontWeights,
  motion,
  radii,
  shadows,
  spaceSteps,
  spaceUnit,
} from './tokens';

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** The `--slipway-*` colour variables of one mode. */
export function slipwayColorVariables(
  mode: ColorMode,
  c: DerivedColors,
): Record<string, string> {
  const { chart, subtle, ...plain } = c;
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(plain)) {
    variables[`--slipway-${kebabCase(name)}`] = value;
  }
  for (const tone of STATUS_TONES) {
    variables[`--slipway-${tone}-subtle`] = subtle[tone];
  }
  chart.forEach((color, index) => {
    variables[`--slipway-chart-${index + 1}`] = color;
  });
  variables['--slipway-shadow'] = shadows[mode];
  return variables;
}

/** The `--slipway-*` variables that do not depend on the mode. */
export function slipwayScaleVariables(): Record<string, string> {
  const variables: Record<string, string> = {
    '--slipway-font-sans': fontFamilies.sans,
    '--slipway-font-mono': fontFamilies.mono,
  };
  for (const [name, pixels] of Object.entries(fontSizes)) {
    variables[`--slipway-font-${name}`] = `${pixels / 16}rem`;
  }
  for (const [name, weight] of Object.entries(fontWeights)) {
    variables[`--slipway-weight-${name}`] = String(weight);
  }
  for (const step of spaceSteps) {
    variables[`--slipway-space-${step}`] = `${step * spaceUnit}px`;
  }
  for (const [name, pixels] of Object.entries(radii)) {
    variables[`--slipway-radius-${name}`] = `${pixels}px`;
  }
  for (const [name, milliseconds] of Object.entries(motion)) {
    variables[`--slipway-motion-${name}`] = `${milliseconds}ms`;
  }
  return variables;
}
