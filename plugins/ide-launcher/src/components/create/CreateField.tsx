import { TextField } from '@backstage/ui';
import type { CreateFields } from './createFields';

/** A text field of the create dialog, with its error beneath. */
export function CreateField(props: {
  name: keyof CreateFields;
  label: string;
  description: string;
  value: string;
  error: string | undefined;
  onChange: (name: keyof CreateFields, value: string) => void;
  placeholder?: string;
  type?: 'text' | 'url';
  autoFocus?: boolean;
}) {
  const { name, error, onChange, type = 'text', ...rest } = props;
  return (
    <TextField
      {...rest}
      name={name}
      type={type}
      onChange={value => onChange(name, value)}
      // Shown at once, and never in the way of sending: the form decides that itself.
      validationBehavior="aria"
      validate={() => error ?? true}
      autoComplete="off"
      autoCorrect="off"
      spellCheck="false"
    />
  );
}
