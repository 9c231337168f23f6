import { TextField, type TextFieldProps } from '@backstage/ui';
import { useDraft } from '../pages/useDraft';

/** Props of {@link TypedField}. */
interface TypedFieldProps extends Pick<
  TextFieldProps,
  'className' | 'isInvalid' | 'label' | 'maxLength' | 'placeholder'
> {
  /** The applied text; when it changes, it replaces the typed text. */
  value: string;
  /** Called with the typed text. */
  onApply(text: string): void;
}

/** A text field that applies its text on Enter and when it loses focus. */
export function TypedField({ value, onApply, ...props }: TypedFieldProps) {
  const { text, write } = useDraft(value);
  const apply = () => {
    if (text !== value) {
      onApply(text);
    }
  };
  return (
    <TextField
      {...props}
      size="small"
      value={text}
      onChange={write}
      onBlur={apply}
      onKeyDown={event => {
        if (event.key === 'Enter') {
          apply();
        }
        // Surrounding elements also handle keys, such as Escape.
        event.continuePropagation();
      }}
    />
  );
}
