/** Characters that XML 1.0 does not allow. */
// eslint-disable-next-line no-control-regex -- these are what is left out
const NO_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;
const NAME = /^[A-Za-z_][\w.-]*$/;

/** An element with either a text or children. */
export interface XmlElement {
  name: string;
  /** The attribute `_class`. */
  type?: string;
  text?: string;
  children: readonly XmlElement[];
}

/**
 * Converts a response to the XML of Jenkins: the class names the element, every list item becomes an
 * element with the singular name, and null is omitted.
 */
export function toElement(answer: object): XmlElement {
  const { _class: type = 'object' } = answer as { _class?: string };
  const [name] = type.split(/[.$]/).slice(-1);
  return elementsOf(name[0].toLowerCase() + name.slice(1), answer)[0];
}

/** Converts the members of an object to the file of that root element. */
export function toXmlFile(root: string, members: object): string {
  const [element] = elementsOf(root, members);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${renderXml(element)}\n`;
}

export function renderXml({ name, type, text, children }: XmlElement): string {
  const attribute = type === undefined ? '' : ` _class="${escaped(type)}"`;
  const inner =
    text === undefined ? children.map(renderXml).join('') : escaped(text);
  return `<${name}${attribute}>${inner}</${name}>`;
}

function elementsOf(name: string, value: unknown): XmlElement[] {
  if (value === null || value === undefined) {
    return [];
  }
  if (Array.isArray(value)) {
    return value.flatMap(one => elementsOf(singular(name), one));
  }
  if (typeof value !== 'object') {
    return [{ name, text: String(value), children: [] }];
  }
  const { _class: type, ...members } = value as Record<string, unknown>;
  return [
    {
      name,
      ...(typeof type === 'string' && { type }),
      children: Object.entries(members).flatMap(([member, one]) =>
        // Parameter names and the like may be invalid element names.
        NAME.test(member) ? elementsOf(member, one) : [],
      ),
    },
  ];
}

function singular(name: string): string {
  return name.endsWith('s') ? name.slice(0, -1) : name;
}

/** Escapes a text for use between tags or in an attribute. */
export function escaped(text: string): string {
  return text
    .replace(NO_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
