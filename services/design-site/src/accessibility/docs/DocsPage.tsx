import {
  Controls,
  Description,
  Primary,
  Stories,
  Subtitle,
  Title,
} from '@storybook/addon-docs/blocks';
import { AccessibilityBlock } from './AccessibilityBlock.tsx';
import { KeyboardBlock } from './KeyboardBlock.tsx';

/** The documentation of a component. */
export function DocsPage() {
  return (
    <>
      <Title />
      <Subtitle />
      <Description />
      <Primary />
      <Controls />
      <KeyboardBlock />
      <AccessibilityBlock />
      <Stories includePrimary={false} />
    </>
  );
}
