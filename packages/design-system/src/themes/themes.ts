import {
  PageTheme,
  UnifiedTheme,
  UnifiedThemeOptions,
  createUnifiedTheme,
} from '@backstage/theme';
import { deriveColors } from '../tokens/derived';
import { ColorMode, fontFamilies, fontWeights } from '../tokens/tokens';
import { muiComponents } from './muiComponents';
import { muiPalette } from './muiPalette';

const heading = (fontSize: number) => ({
  fontFamily: fontFamilies.sans,
  fontSize,
  fontWeight: fontWeights.bold,
  marginBottom: 4,
});

const typography = {
  htmlFontSize: 16,
  fontFamily: fontFamilies.sans,
  h1: heading(24),
  h2: heading(24),
  h3: heading(20),
  h4: heading(20),
  h5: heading(16),
  h6: heading(16),
};

/** A page header without gradient or wave; every page theme id falls back to it. */
function plainPage(fontColor: string, background: string): PageTheme {
  return {
    colors: [background, background],
    shape: 'none',
    backgroundImage: 'none',
    fontColor,
  };
}

function createTheme(mode: ColorMode): UnifiedTheme {
  const colors = deriveColors(mode);
  return createUnifiedTheme({
    palette: muiPalette(mode, colors),
    typography,
    fontFamily: fontFamilies.sans,
    defaultPageTheme: 'home',
    pageTheme: { home: plainPage(colors.text, colors.app) },
    // The Backstage* keys are style sheets of core-components, which the type
    // of Material UI does not list.
    components: muiComponents as UnifiedThemeOptions['components'],
  });
}

/** Material UI theme of the light mode, generated from the tokens. */
export const slipwayLightTheme = createTheme('light');

/** Material UI theme of the dark mode, generated from the tokens. */
export const slipwayDarkTheme = createTheme('dark');
