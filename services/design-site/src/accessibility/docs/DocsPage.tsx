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

/** What a story may say of keys: `parameters.keyboard`. */
type Keyboard = Readonly<Record<string, string>>;

/** Lists the keys of a component and what they do, where it documents them. */
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
