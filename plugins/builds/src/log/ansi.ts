import Anser from 'anser';

/** A run of characters that look the same. */
export interface LogSpan {
  text: string;
  /** The address that it is. */
  href?: string;
  /** Names of classes, e.g. `ansi-green`, `bold`. */
  classes: string[];
}

/** The longest code that is waited for; one that nothing ends is shown as text. */
const MAX_HELD = 200;

/**
 * Reads lines as runs of characters. Escape codes become names of classes and nothing else: no
 * markup of a log reaches the page. A colour lasts until another takes its place, over the ends
 * of lines.
 */
export function readLines(lines: readonly string[]): LogSpan[][] {
  let held = '';
  return lines.map(line => {
    const before = held;
    held = heldAfter(held, line);
    return Anser.ansiToJson(before + overwritten(line), {
      json: true,
      remove_empty: true,
      use_classes: true,
    }).flatMap(entry => linked(visible(entry.content), classesOf(entry)));
  });
}

/** An address of the web; what ends a sentence is no part of it. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}]/g;

/** Parts a text at the addresses in it. */
function linked(text: string, classes: string[]): LogSpan[] {
  const spans: LogSpan[] = [];
  let end = 0;
  for (const { 0: href, index } of text.matchAll(ADDRESS)) {
    spans.push({ text: text.slice(end, index), classes });
    spans.push({ text: href, classes, href });
    end = index + href.length;
  }
  spans.push({ text: text.slice(end), classes });
  return spans.filter(span => span.text !== '');
}

/** What colours and weights a line leaves on; a reset ends them all. */
function heldAfter(held: string, line: string): string {
  let codes = held;
  // eslint-disable-next-line no-control-regex
  for (const [code, values] of line.matchAll(/\u001b\[([\d;]*)m/g)) {
    codes = /^0*$/.test(values) ? '' : codes + code;
  }
  return codes.slice(-MAX_HELD);
}

function classesOf(entry: Anser.AnserJsonEntry): string[] {
  const { fg, bg, decorations } = entry;
  const others = (decorations ?? []).filter(isName);
  // A background is a mark in its colour: in full it would drown the text of either theme.
  if (isName(bg)) {
    return [bg, 'marked', ...others];
  }
  return [...(isName(fg) ? [fg] : []), ...others];
}

/** Class names of the sixteen colours; other colours have none. */
function isName(name: string | null | undefined): name is string {
  return /^[a-z]+(-[a-z]+)*$/.test(name ?? '');
}

/** A carriage return starts the line again: progress bars leave their last state. */
function overwritten(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.slice(text.lastIndexOf('\r') + 1);
}

/** Escape codes that are no colours: of the cursor, of titles and links. */
const CODES =
  // eslint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g;
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Only what is to be read. */
function visible(text: string): string {
  return text.replace(CODES, '').replace(CONTROLS, '');
}
