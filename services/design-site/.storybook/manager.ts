import { colors } from '@slipway/design-system/src/tokens/tokens.ts';
import { STORY_MISSING } from 'storybook/internal/core-events';
import { addons } from 'storybook/manager-api';
import { create } from 'storybook/theming';
import '../src/accessibility/panel/register';
import { nameWindow, SITE_NAME } from '../src/name/nameWindow';
import { systemMode } from '../src/systemMode';

const { accent } = colors[systemMode];

addons.setConfig({
  theme: create({
    base: systemMode,
    brandTitle: SITE_NAME,
    brandUrl: './',
    brandTarget: '_self',
    colorPrimary: accent,
    colorSecondary: accent,
  }),
});

nameWindow();

addons.register('slipway/missing', api => {
  api.on(STORY_MISSING, (asked?: string) => {
    // Also emitted for stories that exist but fail to load.
    if (asked && !api.getIndex()?.entries[asked]) {
      const { viewMode = 'docs' } = api.getUrlState();
      window.location.replace(`./${viewMode}/${encodeURIComponent(asked)}`);
    }
  });
});
