import type { ReactElement } from 'react';
import { ButtonIcon, Tooltip, TooltipTrigger } from '@backstage/ui';

/** Props of {@link IconButton}. */
export interface IconButtonProps {
  icon: ReactElement;
  /** Accessible name, with the object in lists: "Mark as done: checkout #4 failed". */
  label: string;
  /** Shown on hover and focus; defaults to {@link label}. In lists, the verb is enough: "Done". */
  hint?: string;
  onPress(): void;
  isDisabled?: boolean;
}

/** A small icon-only button, with a hint on hover and focus. */
export function IconButton(props: IconButtonProps) {
  const { label, hint = label, ...button } = props;
  return (
    <TooltipTrigger>
      <ButtonIcon
        size="small"
        variant="tertiary"
        aria-label={label}
        {...button}
      />
      <Tooltip>{hint}</Tooltip>
    </TooltipTrigger>
  );
}
