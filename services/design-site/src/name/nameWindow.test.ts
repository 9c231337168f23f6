import { waitFor } from '@testing-library/react';
import { nameWindow } from './nameWindow';

let end: () => void;
beforeEach(() => {
  document.title = 'storybook - Storybook';
  end = nameWindow();
});
afterEach(() => end());

it('names the window at once, and after each change of page', async () => {
  expect(document.title).toBe('Slipway design system');
  document.title = 'Components / Button - Basic ⋅ Storybook';
  await waitFor(() =>
    expect(document.title).toBe(
      'Components / Button - Basic ⋅ Slipway design system',
    ),
  );
});

it('leaves other titles alone', async () => {
  document.title = 'Storybook of the sea';
  await new Promise(resolve => setTimeout(resolve));
  expect(document.title).toBe('Storybook of the sea');
});
