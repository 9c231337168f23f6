import type { Preview } from '@storybook/react-vite';
import { MemoryRouter } from 'react-router-dom';
import { create } from 'storybook/theming';
import { DocsPage } from '../src/accessibility/docs/DocsPage';
import {
  applyTheme,
  letFocusLeave,
  listenToPanel,
  tellTree,
} from '../src/accessibility/preview';
import { systemMode } from '../src/systemMode';
import '@slipway/design-system/styles.css';
import './preview.css';

listenToPanel();
letFocusLeave();

const preview: Preview = {
  tags: ['autodocs'],
  globalTypes: {
    theme: {
      description: 'Colour mode',
      toolbar: {
        title: 'Theme',
        icon: 'contrast',
        items: [
          { value: 'light', title: 'Light', icon: 'sun' },
          { value: 'dark', title: 'Dark', icon: 'moon' },
        ],
        dynamicTitle: true,
      },
    },
  },
  initialGlobals: { theme: systemMode },
  parameters: {
    layout: 'padded',
    a11y: { test: 'error' },
    backgrounds: { disable: true },
    docs: { page: DocsPage, toc: true, theme: create({ base: systemMode }) },
    options: {
      storySort: {
        method: 'alphabetical',
        order: ['Overview', 'Tokens', 'Components'],
      },
    },
  },
  decorators: [
    (Story, { globals }) => {
      applyTheme(globals.theme);
      return (
        <MemoryRouter>
          <Story />
        </MemoryRouter>
      );
    },
  ],
  afterEach: ({ id, viewMode }) => {
    if (viewMode === 'story') {
      tellTree(id);
    }
  },
};

export default preview;
