import { buiColorVariables, buiScaleVariables } from './buiVariables';
import { deriveColors } from './derived';
import {
  slipwayColorVariables,
  slipwayScaleVariables,
} from './slipwayVariables';
import { ColorMode } from './tokens';

function rule(selector: string, variables: Record<string, string>): string {
  const lines = Object.entries(variables).map(
    ([name, value]) => `  ${name}: ${value};`,
  );
  // Prettier would rewrite the colours, and the file would differ from this.
  return `/* prettier-ignore */\n${selector} {\n${lines.join('\n')}\n}\n`;
}

function modeVariables(mode: ColorMode): Record<string, string> {
  const colors = deriveColors(mode);
  return {
    ...slipwayColorVariables(mode, colors),
    ...buiColorVariables(mode, colors),
  };
}

/**
 * Renders the variables of both modes as CSS. The selectors are those of
 * `@backstage/ui`; its own rules are in cascade layers, so these win without
 * a higher specificity.
 */
export function renderThemeCss(): string {
  return [
    '/* Generated from src/tokens by `yarn generate`. */\n',
    rule(":root,\n[data-theme-mode='light']", {
      ...slipwayScaleVariables(),
      ...buiScaleVariables(),
      ...modeVariables('light'),
    }),
    rule("[data-theme-mode='dark']", modeVariables('dark')),
  ].join('\n');
}
