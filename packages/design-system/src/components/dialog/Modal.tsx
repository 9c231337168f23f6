import type { ReactNode } from 'react';
import { Dialog, DialogBody, DialogFooter, DialogHeader } from '@backstage/ui';

/** Props of {@link Modal}. */
export interface ModalProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: string;
  children: ReactNode;
  /** Buttons, the one that goes on last. */
  footer?: ReactNode;
  /** Width in pixels. */
  width?: number;
}

/**
 * A window over the page that wants an answer before anything else: to create, or to
 * confirm. Details of a thing belong in a SidePanel, which has an address.
 */
export function Modal(props: ModalProps) {
  const { isOpen, onOpenChange, title, children, footer, width } = props;
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} width={width}>
      <DialogHeader>{title}</DialogHeader>
      <DialogBody>{children}</DialogBody>
      {footer && <DialogFooter>{footer}</DialogFooter>}
    </Dialog>
  );
}
