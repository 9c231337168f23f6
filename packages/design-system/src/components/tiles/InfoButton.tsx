import { ReactNode } from 'react';
import { ButtonIcon, DialogTrigger, Popover } from '@backstage/ui';
import { RiInformationLine } from '@remixicon/react';
import { messages } from '../../messages';
import './InfoButton.css';

/** Props of {@link InfoButton}. */
export interface InfoButtonProps {
  /** What is explained; names the button. */
  about: string;
  children: ReactNode;
}

/** Explains a word beside which it stands; opens by click, touch and key. */
export function InfoButton({ about, children }: InfoButtonProps) {
  const name = messages.about(about);
  return (
    <DialogTrigger>
      <ButtonIcon
        className="slw-InfoButton"
        size="small"
        variant="tertiary"
        aria-label={name}
        icon={<RiInformationLine size={16} />}
      />
      <Popover aria-label={name}>
        <div className="slw-InfoText">{children}</div>
      </Popover>
    </DialogTrigger>
  );
}
