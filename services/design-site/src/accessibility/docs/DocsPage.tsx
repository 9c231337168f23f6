import { useContext } from 'react';
import {
  Controls,
  Description,
  DocsContext,
  Primary,
  Stories,
  Subtitle,
  Title,
} from '@storybook/addon-docs/blocks';
import { AccessibilityBlock } from './AccessibilityBlock.tsx';

/** Renders the documentation page of a component. */
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

/** Maps keys to descriptions: a story's `parameters.keyboard`. */
type Keyboard = Readonly<Record<string, string>>;

/** Lists the documented keys of a component. */
function KeyboardBlock() {
  const [story] = useContext(DocsContext).componentStories();
  const keyboard: Keyboard = story?.parameters.keyboard ?? {};
  const keys = Object.entries(keyboard);
  if (keys.length === 0) {
    return null;
  }
  return (
    <>
      <h2 id="keyboard">Keyboard</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(([key, effect]) => (
            <tr key={key}>
              <td>
                <kbd>{key}</kbd>
              </td>
              <td>{effect}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
