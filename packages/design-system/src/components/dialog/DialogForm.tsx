import {
  type ClipboardEvent,
  createContext,
  type PropsWithChildren,
  type ReactNode,
  useContext,
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
  /** Called on Escape, on a click outside and by its close buttons. */
  onClose(): void;
  /** Width in pixels; defaults to 560, less in a narrow window. */
  width?: number;
  /** False while a click outside would lose something. */
  isDismissable?: boolean;
  /** True while it stays open whatever the user does: a secret that is on its way would be lost. */
  isLocked?: boolean;
  /** A DialogForm, or a DialogBody and a DialogFooter. */
  children: ReactNode;
}

/** True if the user cannot close the dialog, such as while a secret is created. */
const LockContext = createContext(false);

/** A dialog that is open as long as it is mounted. */
export function OpenDialog(props: OpenDialogProps) {
  const { title, onClose, width = 560, isLocked = false, children } = props;
  const { isDismissable } = props;
  return (
    <Dialog
      isOpen
      className={isLocked ? 'slw-DialogLocked' : undefined}
      onOpenChange={isOpen => {
        if (!isOpen && !isLocked) {
          onClose();
        }
      }}
      width={`min(${width}px, calc(100vw - 32px))`}
      {...(isDismissable !== undefined && { isDismissable })}
    >
      <DialogHeader>{title}</DialogHeader>
      <LockContext.Provider value={isLocked}>{children}</LockContext.Provider>
    </Dialog>
  );
}

/** Props of {@link DialogForm}. */
export interface DialogFormProps {
  /** The fields in a column, with errors above them. */
  children: ReactNode;
  /** The verb and its object: "Create flag". */
  submitLabel: string;
  /** True while the form is being submitted; submitting again has no effect. */
  isPending: boolean;
  /** Called on the button and on Enter. The fields show what is missing. */
  onSubmit(): void;
  /** Called on paste, for forms that accept more than text from the clipboard. */
  onPaste?(event: ClipboardEvent): void;
}

/** The fields of a dialog, with the cancel and submit buttons below. */
export function DialogForm(props: DialogFormProps) {
  const { children, submitLabel, isPending, onSubmit, onPaste } = props;
  const isLocked = useContext(LockContext);
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
        <Button variant="secondary" slot="close" isDisabled={isLocked}>
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

/** The result of a form, shown in its place; receives the form's focus. */
export function Done({ children }: PropsWithChildren) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <p ref={ref} tabIndex={-1} className="slw-Done">
      {children}
    </p>
  );
}
