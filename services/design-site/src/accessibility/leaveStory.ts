import { addons } from 'storybook/preview-api';
import { STORY_LEFT } from './channel.ts';

const DIALOG = '[role="dialog"], [role="alertdialog"]';

let isPressed = false;

/**
 * Lets the focus go from a story to the panel beside it although a dialog is open, which
 * keeps Tab to itself and takes back the focus that it has lost. F6 leads there, as it
 * does between the panes of the site. Once in the life of the preview.
 */
export function letFocusLeave(): void {
  // Before the dialog hears of it.
  const capture = { capture: true };
  window.addEventListener('keydown', leaveByKey, capture);
  window.addEventListener('focusout', confineDialog, capture);
  for (const type of ['pointerdown', 'pointerup', 'pointercancel']) {
    window.addEventListener(type, notePress, capture);
  }
}

function notePress({ type }: Event): void {
  isPressed = type === 'pointerdown';
}

function leaveByKey(event: KeyboardEvent): void {
  if (event.key === 'F6') {
    event.preventDefault();
    addons.getChannel().emit(STORY_LEFT);
  }
}

/** Hides from a dialog what goes to nothing of the story: it has no say in what is around. */
function confineDialog(event: FocusEvent): void {
  const isInDialog = (event.target as Element).closest?.(DIALOG);
  if (isInDialog && event.relatedTarget === null && !isPressed) {
    event.stopImmediatePropagation();
  }
}
