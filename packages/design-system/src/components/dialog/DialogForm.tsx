import {
  type ClipboardEvent,
  type PropsWithChildren,
  type ReactNode,
  useEffect,
  useId,
  useRef,
} from 'react';
import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  DialogHeader,
} from '@backstage/ui';
import { messages } from '../../messages';
import './DialogForm.css';

/** Props of {@link OpenDialog}. */
export interface OpenDialogProps {
  title: string;
  /** Called on Escape, on a press beside it and on its buttons that close. */
  onClose(): void;
  /** Width in pixels, 560 when not given; less in a narrow window. */
  width?: number;
  /** False while a press beside it would lose something. */
  isDismissable?: boolean;
  /** A DialogForm, or a DialogBody and a DialogFooter. */
  children: ReactNode;
}

/** A dialog that is open while it is in the page, as commands and buttons show one. */
export function OpenDialog(props: OpenDialogProps) {
  const { title, onClose, width = 560, isDismissable, children } = props;
  return (
    <Dialog
      isOpen
      onOpenChange={isOpen => {
        if (!isOpen) {
          onClose();
        }
      }}
      width={`min(${width}px, calc(100vw - 32px))`}
      {...(isDismissable !== undefined && { isDismissable })}
    >
      <DialogHeader>{title}</DialogHeader>
      {children}
    </Dialog>
  );
}

/** Props of {@link DialogForm}. */
export interface DialogFormProps {
  /** The fields, under each other, with what went wrong above them. */
  children: ReactNode;
  /** The verb and its object: "Create flag". */
  submitLabel: string;
  /** While it is sent; sending again does nothing meanwhile. */
  isPending: boolean;
  /** Called on the button and on Enter. The fields say what is missing. */
  onSubmit(): void;
  /** Called on paste, for forms that take more than text from the clipboard. */
  onPaste?(event: ClipboardEvent): void;
}

/** Fields of a Dialog, and under them the buttons that leave it and that send. */
export function DialogForm(props: DialogFormProps) {
  const { children, submitLabel, isPending, onSubmit, onPaste } = props;
  const formId = useId();
  return (
    <>
      <DialogBody>
        <form
          id={formId}
          className="slw-DialogForm"
          onSubmit={event => {
            event.preventDefault();
            if (!isPending) {
              onSubmit();
            }
          }}
          onPaste={onPaste}
          noValidate
        >
          {children}
        </form>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" slot="close">
          {messages.cancel}
        </Button>
        <Button
          variant="primary"
          type="submit"
          form={formId}
          isPending={isPending}
        >
          {submitLabel}
        </Button>
      </DialogFooter>
    </>
  );
}

/** What a form has done, in its place; takes the focus that the form had. */
export function Done({ children }: PropsWithChildren) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <p ref={ref} tabIndex={-1} className="slw-Done">
      {children}
    </p>
  );
}
