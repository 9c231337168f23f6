import { ReactNode } from 'react';
import { UnifiedTheme, UnifiedThemeProvider } from '@backstage/theme';
import { createFrontendModule } from '@backstage/frontend-plugin-api';
import {
  ThemeBlueprint,
  TranslationBlueprint,
} from '@backstage/plugin-app-react';
import { RiMoonLine, RiSunLine } from '@remixicon/react';
import {
  slipwayDarkTheme,
  slipwayLightTheme,
} from '@slipway/design-system/themes';
import { catalogTexts } from './stockTexts';

const provide = (theme: UnifiedTheme) =>
  function ThemeProvider({ children }: { children: ReactNode }) {
    return (
      <UnifiedThemeProvider theme={theme} themeName="slipway">
        {children}
      </UnifiedThemeProvider>
    );
  };

// The names replace Backstage's own light and dark.
const lightTheme = ThemeBlueprint.make({
  name: 'light',
  params: {
    theme: {
      id: 'light',
      title: 'Light',
      variant: 'light',
      icon: <RiSunLine />,
      Provider: provide(slipwayLightTheme),
    },
  },
});

const darkTheme = ThemeBlueprint.make({
  name: 'dark',
  params: {
    theme: {
      id: 'dark',
      title: 'Dark',
      variant: 'dark',
      icon: <RiMoonLine />,
      Provider: provide(slipwayDarkTheme),
    },
  },
});

const catalogTranslation = TranslationBlueprint.make({
  name: 'catalog',
  params: { resource: catalogTexts },
});

/** Replaces the stock themes with Slipway's light and dark ones, and stock texts with its own. */
export const themeModule = createFrontendModule({
  pluginId: 'app',
  extensions: [lightTheme, darkTheme, catalogTranslation],
});
