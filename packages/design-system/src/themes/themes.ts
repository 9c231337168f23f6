import {
  createUnifiedTheme,
  PageTheme,
  UnifiedTheme,
  UnifiedThemeOptions,
} from '@backstage/theme';
import {
  ColorMode,
  deriveColors,
  DerivedColors,
  fontFamilies,
  fontWeights,
} from '../tokens/tokens';
import { muiComponents } from './muiComponents';

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

/** Creates a page header without gradient or wave; every page theme id falls back to it. */
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
    // The Backstage* keys are style sheets of core-components, which are missing from Material UI's
    // type.
    components: muiComponents as UnifiedThemeOptions['components'],
  });
}

/** Material UI theme of the light mode, generated from the tokens. */
export const slipwayLightTheme = createTheme('light');

/** Material UI theme of the dark mode, generated from the tokens. */
export const slipwayDarkTheme = createTheme('dark');

/**
 * Returns the Material UI palette of one mode, with the additions that stock Backstage components
 * use. Literal colours, because Material UI computes with them.
 */
function muiPalette(mode: ColorMode, c: DerivedColors) {
  const tone = (main: string) => ({ main, contrastText: c.onStatus });
  return {
    type: mode,
    mode,
    background: { default: c.app, paper: c.surface },
    text: { primary: c.text, secondary: c.muted, disabled: c.disabled },
    divider: c.line,
    primary: { main: c.accent, dark: c.accentHover, contrastText: c.onAccent },
    secondary: { main: c.accent, contrastText: c.onAccent },
    success: tone(c.success),
    warning: tone(c.warning),
    error: tone(c.danger),
    info: tone(c.info),
    action: { hover: c.hover, selected: c.pressed, focus: c.hover },
    status: {
      ok: c.success,
      warning: c.warning,
      error: c.danger,
      running: c.info,
      pending: c.warning,
      aborted: c.muted,
    },
    bursts: {
      fontColor: c.text,
      slackChannelText: c.muted,
      backgroundColor: { default: c.surface },
      gradient: { linear: 'none' },
    },
    banner: {
      info: c.info,
      error: c.danger,
      warning: c.warning,
      text: c.onStatus,
      link: c.onStatus,
      closeButtonColor: c.onStatus,
    },
    border: c.line,
    textContrast: c.text,
    textVerySubtle: c.control,
    textSubtle: c.muted,
    highlight: c.subtle.warning,
    errorBackground: c.subtle.danger,
    warningBackground: c.subtle.warning,
    infoBackground: c.subtle.info,
    errorText: c.danger,
    infoText: c.info,
    warningText: c.warning,
    linkHover: c.accentHover,
    link: c.accent,
    gold: c.warning,
    navigation: {
      background: c.surface,
      indicator: c.accent,
      color: c.muted,
      selectedColor: c.text,
      navItem: { hoverBackground: c.hover },
      submenu: { background: c.surface },
    },
    pinSidebarButton: { icon: c.text, background: c.hover },
    tabbar: { indicator: c.accent },
    code: { background: c.pressed },
  };
}
