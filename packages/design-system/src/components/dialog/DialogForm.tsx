import {
  type ClipboardEvent,
  createContext,
  type PropsWithChildren,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  DialogHeader,
} from '@backstage/ui';
import { messages } from '../../messages';
import { useIsSlow } from './useIsSlow';
import './DialogForm.css';

/** Props of {@link OpenDialog}. */
export interface OpenDialogProps {
  title: string;
  /** Called on Escape, on a click outside and by its close buttons. */
  onClose(): void;
  /** Width in pixels; defaults to 560, less in a narrow window. */
  width?: number;
  /**
   * False if a click outside must not close the dialog; once something is typed, it never does.
   */
  isDismissable?: boolean;
  /**
   * True while a secret is being created, which would be lost: the user cannot close the dialog,
   * unless this takes long.
   */
  isLocked?: boolean;
  /** A DialogForm, or a DialogBody and a DialogFooter. */
  children: ReactNode;
}

/** The state of the surrounding dialog. */
interface DialogState {
  /** True if the user cannot close it, such as while a secret is created. */
  isLocked: boolean;
  /** True if that took so long that the user can close it after all. */
  isSlow: boolean;
  /** Sets whether something was typed or chosen that is not submitted yet. */
  setIsTouched(isTouched: boolean): void;
}

const DialogContext = createContext<DialogState>({
  isLocked: false,
  isSlow: false,
  setIsTouched: () => undefined,
});

/** A dialog that is open as long as it is mounted. */
export function OpenDialog(props: OpenDialogProps) {
  const { title, onClose, width = 560, children } = props;
  const isSlow = useIsSlow(props.isLocked ?? false);
  const isLocked = Boolean(props.isLocked) && !isSlow;
  const [isTouched, setIsTouched] = useState(false);
  const { isDismissable = true } = props;
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
      isDismissable={isDismissable && !isTouched}
    >
      <DialogHeader>{title}</DialogHeader>
      <div className="slw-DialogContent" onInput={() => setIsTouched(true)}>
        <DialogContext.Provider value={{ isLocked, isSlow, setIsTouched }}>
          {children}
        </DialogContext.Provider>
      </div>
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
  const { isLocked, isSlow, setIsTouched } = useContext(DialogContext);
  // What comes after the form, such as a result, has nothing to lose.
  useEffect(() => () => setIsTouched(false), [setIsTouched]);
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  // Runs before the dialog's own effect, which would focus the dialog element, where typing and
  // Enter do nothing.
  useEffect(() => {
    const field = firstField(form.current);
    // Skips a combobox, whose list may open on focus and cover the rest of the form.
    if (
      field?.getAttribute('role') !== 'combobox' &&
      !form.current?.contains(document.activeElement)
    ) {
      field?.focus();
    }
  }, []);
  return (
    <>
      <DialogBody>
        <form
          ref={form}
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
          {isSlow && (
            <p className="slw-DialogSlow" role="status">
              {messages.slowSecret}
            </p>
          )}
        </form>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" slot="close" isDisabled={isLocked}>
          {isSlow ? messages.close : messages.cancel}
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

/** Matches the controls with which users enter values; the buttons open lists of choices. */
const FIELDS = 'input, textarea, button[aria-haspopup]';

/** Returns the first focusable field of a form; undefined if there is none. */
function firstField(form: HTMLFormElement | null): HTMLElement | undefined {
  return [...(form?.querySelectorAll<HTMLElement>(FIELDS) ?? [])].find(
    field =>
      field.tabIndex >= 0 &&
      !field.matches(':disabled, [type="hidden"]') &&
      !field.closest('[aria-hidden="true"]'),
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
