/** What XML 1.0 does not allow in a text. */
// eslint-disable-next-line no-control-regex -- these are what is left out
const NO_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;
const NAME = /^[A-Za-z_][\w.-]*$/;

/**
 * Converts a response to XML as Jenkins does: the class names the element, every list
 * item becomes an element with the singular name, and null is omitted.
 */
export function toXml(answer: object): string {
  const { _class: type = 'object' } = answer as { _class?: string };
  const [name] = type.split(/[.$]/).slice(-1);
  return element(name[0].toLowerCase() + name.slice(1), answer);
}

function element(name: string, value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  if (Array.isArray(value)) {
    return value.map(one => element(singular(name), one)).join('');
  }
  if (typeof value !== 'object') {
    return `<${name}>${escaped(String(value))}</${name}>`;
  }
  const { _class: type, ...members } = value as Record<string, unknown>;
  const inner = Object.entries(members).map(([member, one]) =>
    // Parameter names and the like may be invalid element names.
    NAME.test(member) ? element(member, one) : '',
  );
  const attribute =
    typeof type === 'string' ? ` _class="${escaped(type)}"` : '';
  return `<${name}${attribute}>${inner.join('')}</${name}>`;
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
