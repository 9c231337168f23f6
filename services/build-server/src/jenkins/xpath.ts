import { InvalidRequestError } from '@slipway/service-kit';
import type { XmlElement } from './toXml.ts';

/** A step of a path: `/name`, `//name`, each with a predicate. */
interface Step {
  isDeep: boolean;
  /** `*` for any. */
  name: string;
  matches(element: XmlElement, index: number, count: number): boolean;
}

const MAX_STEPS = 20;
const STEP =
  /(\/\/?)([A-Za-z_*][\w.-]{0,100}(?:\(\))?)(?:\[([^\]]{1,200})\])?/y;
const EQUALS = /^([A-Za-z_][\w.-]{0,100})\s{0,5}=\s{0,5}(["'])(.{0,200})\2$/;
const PARTS = /\s*("[^"]*"|'[^']*'|[^,"'\s]+)\s*(,|$)/y;

/**
 * Selects elements by the part of XPath 1.0 that the recipes of Jenkins use: absolute
 * paths, `//`, `*`, `text()` at the end, and the predicates `[2]`, `[last()]` and
 * `[name='value']`.
 *
 * @returns elements, or a text for `text()` and `concat(…)`.
 * @throws InvalidRequestError for all other expressions.
 */
export function selectXml(
  root: XmlElement,
  expression: string,
): XmlElement[] | string {
  const text = expression.trim();
  const [, parts] = /^concat\((.*)\)$/s.exec(text) ?? [];
  if (parts !== undefined) {
    return splitParts(parts, expression)
      .map(part =>
        /^["']/.test(part) ? part.slice(1, -1) : textOf(find(root, part)),
      )
      .join('');
  }
  const isText = text.endsWith('/text()');
  const found = find(root, isText ? text.slice(0, -'/text()'.length) : text);
  return isText ? textOf(found) : found;
}

function find(root: XmlElement, path: string): XmlElement[] {
  const document = { name: '', children: [root] };
  return readSteps(path).reduce<XmlElement[]>(
    (elements, step) => elements.flatMap(element => follow(element, step)),
    [document],
  );
}

/** Applies a step; a predicate counts among the children of one element, as in XPath. */
function follow(element: XmlElement, step: Step): XmlElement[] {
  const named = element.children.filter(
    ({ name }) => step.name === '*' || step.name === name,
  );
  const own = named.filter((child, index) =>
    step.matches(child, index, named.length),
  );
  return step.isDeep
    ? [...own, ...element.children.flatMap(child => follow(child, step))]
    : own;
}

function readSteps(path: string): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < path.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const [, slashes, name, predicate] = STEP.exec(path) ?? [];
    if (name === undefined || name.includes('(') || steps.length > MAX_STEPS) {
      throw fault(path);
    }
    steps.push({
      isDeep: slashes === '//',
      name,
      matches: readPredicate(predicate, path),
    });
  }
  if (steps.length === 0) {
    throw fault(path);
  }
  return steps;
}

function readPredicate(
  text: string | undefined,
  path: string,
): Step['matches'] {
  if (text === undefined) {
    return () => true;
  }
  if (/^\d{1,6}$/.test(text)) {
    return (_element, index) => index === Number(text) - 1;
  }
  if (text === 'last()') {
    return (_element, index, count) => index === count - 1;
  }
  const [, name, , value] = EQUALS.exec(text) ?? [];
  if (name === undefined) {
    throw fault(path);
  }
  return ({ children }) =>
    children.some(child => child.name === name && contentOf(child) === value);
}

function splitParts(text: string, expression: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at = PARTS.lastIndex) {
    PARTS.lastIndex = at;
    const [, part] = PARTS.exec(text) ?? [];
    if (part === undefined) {
      throw fault(expression);
    }
    parts.push(part.trim());
  }
  return parts;
}

function textOf([first]: readonly XmlElement[]): string {
  return first ? contentOf(first) : '';
}

function contentOf({ text, children }: XmlElement): string {
  return text ?? children.map(contentOf).join('');
}

function fault(path: string): InvalidRequestError {
  return new InvalidRequestError(
    `xpath ${path.slice(0, 200)} is not supported; use paths such as /job/build[1]/number`,
    { field: 'xpath', constraint: 'format' },
  );
}
