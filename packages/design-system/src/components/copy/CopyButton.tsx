import {
  ButtonIcon,
  Tooltip,
  TooltipTrigger,
  VisuallyHidden,
} from '@backstage/ui';
import { RiCheckLine, RiCloseLine, RiFileCopyLine } from '@remixicon/react';
import { messages } from '../../messages';
import { useCopy } from './useCopy';

/** Props of {@link CopyButton}. */
export interface CopyButtonProps {
  text: string;
  /** What is copied, e.g. "Copy address". */
  label?: string;
}

/** Copies `text`; shows and announces that it did. */
export function CopyButton({ text, label = messages.copy }: CopyButtonProps) {
  const { state, copy } = useCopy();
  const Icon = {
    idle: RiFileCopyLine,
    copied: RiCheckLine,
    failed: RiCloseLine,
  }[state];
  const outcome = {
    idle: '',
    copied: messages.copied,
    failed: messages.copyFailed,
  }[state];
  return (
    <>
      <TooltipTrigger>
        <ButtonIcon
          size="small"
          variant="tertiary"
          aria-label={label}
          icon={<Icon size={16} />}
          onPress={() => copy(text)}
        />
        <Tooltip>{outcome || label}</Tooltip>
      </TooltipTrigger>
      <VisuallyHidden role="status">{outcome}</VisuallyHidden>
    </>
  );
}
