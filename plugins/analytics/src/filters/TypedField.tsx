import { TextField, type TextFieldProps } from '@backstage/ui';
import { useDraft } from '../pages/useDraft';

/** Props of {@link TypedField}. */
interface TypedFieldProps extends Pick<
  TextFieldProps,
  'className' | 'isInvalid' | 'label' | 'maxLength' | 'placeholder'
> {
  /** The text that is applied; it replaces what is typed when it changes. */
  value: string;
  /** Called with the text that was typed. */
  onApply(text: string): void;
}

/** A text field whose text applies on Enter, and when the field loses the focus. */
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
        // Keys are also for what is around the field, such as Escape.
        event.continuePropagation();
      }}
    />
  );
}
