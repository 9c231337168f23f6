import {
  createFrontendModule,
  createTranslationMessages,
} from '@backstage/frontend-plugin-api';
import {
  ThemeBlueprint,
  TranslationBlueprint,
} from '@backstage/plugin-app-react';
import { catalogTranslationRef } from '@backstage/plugin-catalog/alpha';
import { RiMoonLine, RiSunLine } from '@remixicon/react';
import { ThemeProvider } from './ThemeProvider';

// The names replace Backstage's own light and dark.
const lightTheme = ThemeBlueprint.make({
  name: 'light',
  params: {
    theme: {
      id: 'light',
      title: 'Light',
      variant: 'light',
      icon: <RiSunLine />,
      Provider: ThemeProvider,
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
      Provider: ThemeProvider,
    },
  },
});

const catalogTranslation = TranslationBlueprint.make({
  name: 'catalog',
  params: {
    resource: createTranslationMessages({
      ref: catalogTranslationRef,
      // The stock title repeats the product's name.
      messages: { 'indexPage.title': 'Software catalog' },
    }),
  },
});

/** Replaces the stock themes with Slipway's light and dark ones, and stock texts with its own. */
export const themeModule = createFrontendModule({
  pluginId: 'app',
  extensions: [lightTheme, darkTheme, catalogTranslation],
});
