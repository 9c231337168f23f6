import { addons } from 'storybook/preview-api';
import {
  POINT_AT,
  STORY_LEFT,
  TREE_ASKED,
  TREE_CHANGED,
  type TreeNode,
} from './channel.ts';
import { observeTree, pointAt } from './tree/observeTree.ts';

let storyId: string | undefined;
let nodes: TreeNode[] = [];
let stop: (() => void) | undefined;

/**
 * Sends the accessibility tree of a rendered story to the panel whenever it changes.
 * Covers the whole document, because dialogs are rendered outside the story's element.
 */
export function tellTree(id: string): void {
  stop?.();
  pointAt(undefined);
  storyId = id;
  stop = observeTree(document.body, current => {
    nodes = current;
    tell();
  });
}

/** Subscribes to the panel's events. Call once per preview. */
export function listenToPanel(): void {
  const channel = addons.getChannel();
  channel.on(TREE_ASKED, tell);
  channel.on(POINT_AT, (selector?: string) => pointAt(selector));
}

function tell(): void {
  if (storyId) {
    addons.getChannel().emit(TREE_CHANGED, { storyId, nodes });
  }
}

const DIALOG = '[role="dialog"], [role="alertdialog"]';

let isPressed = false;

/**
 * Lets the focus move from a story to the panel even while an open dialog traps Tab and takes back
 * lost focus. F6 moves to the panel, as it does between the panes of the site. Call once per
 * preview.
 */
export function letFocusLeave(): void {
  // The capture phase runs before the dialog's own listeners.
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

/** Stops a dialog from restoring focus that has left the story's document altogether. */
function confineDialog(event: FocusEvent): void {
  const isInDialog = (event.target as Element).closest?.(DIALOG);
  if (isInDialog && event.relatedTarget === null && !isPressed) {
    event.stopImmediatePropagation();
  }
}

/** Applies a colour mode to the document in the same way as the portal. */
export function applyTheme(theme: 'light' | 'dark'): void {
  const { dataset, style } = document.documentElement;
  dataset.themeMode = theme;
  dataset.themeName = 'slipway';
  style.colorScheme = theme;
}
