import type { Preview } from '@storybook/react-vite';
import { MemoryRouter } from 'react-router-dom';
import { DocsPage } from '../src/accessibility/docs/DocsPage';
import {
  applyTheme,
  letFocusLeave,
  listenToPanel,
  tellTree,
} from '../src/accessibility/preview';
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
  initialGlobals: { theme: 'light' },
  parameters: {
    layout: 'padded',
    a11y: { test: 'error' },
    backgrounds: { disable: true },
    docs: { page: DocsPage, toc: true },
    options: {
      storySort: { order: ['Overview', 'Tokens', 'Components'] },
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
