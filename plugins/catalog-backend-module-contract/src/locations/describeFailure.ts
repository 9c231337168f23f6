/** Maximum length of a message; the catalog's include parts of the descriptor, so they may be longer. */
const MAX_MESSAGE_LENGTH = 4_000;

/**
 * Patterns of the catalog's messages about a descriptor, and their replacements, applied in this order.
 *
 * Authors of descriptors control parts of a message. To ensure linear time, each pattern starts with
 * fixed text or at the start of a pointer, and no match attempt starts within text that was already
 * scanned.
 */
const REWORDINGS: ReadonlyArray<
  [pattern: RegExp, wording: string | ((...found: string[]) => string)]
> = [
  [/ To learn more about catalog file format, visit: \S+/g, ''],
  [
    /Processor \w+ threw an error while validating the entity (\S+); caused by (?:\w*Error: )?/g,
    '$1: ',
  ],
  [
    /Processor \w+ threw an error while preprocessing; caused by (?:\w*Error: )?/g,
    '',
  ],
  // An entity without metadata lacks the field that every entity needs: its name.
  [
    /<root> must have required property 'metadata'( - [\w: ]+)?/g,
    'metadata.name is required',
  ],
  [
    /(<root>|(?<![\w/])\/[\w/]+) must have required property '(\w+)'(?: - [\w: ]+)?/g,
    (_, parent, field) => `${fieldOf(parent, field)} is required`,
  ],
  [/(?<![\w/.-])\/[\w/.-]+(?= must )/g, pointer => fieldOf(pointer)],
  [
    / - (?:type|limit|pattern|format|allowedValues?|additionalProperty): [^,;]+/g,
    '',
  ],
  [/ must be (string|number|boolean)\b/g, ' must be a $1'],
  [/ must be (array|integer|object)\b/g, ' must be an $1'],
  [/ must NOT have fewer than 1 characters/g, ' must not be empty'],
  [/ must NOT have fewer than (\d+) /g, ' must have at least $1 '],
  [/ must NOT have more than (\d+) /g, ' must have at most $1 '],
  [
    /Expected object at root, got \w+/g,
    'The descriptor is not an entity: it must be a YAML object with apiVersion, kind and metadata',
  ],
  [
    /Entity (\S+) at \S+, originated at \S+, is not of an allowed kind for that location/g,
    '$1 is of a kind that is not allowed: kinds that catalog.rules does not list, such as User and Group, can be registered only in the configuration',
  ],
  [/Unable to read url, /g, 'The descriptor cannot be read: '],
  [
    / is not allowed\. You may need to configure an integration for the target host, or add it to the configured list of allowed hosts at 'backend\.reading\.allow'/g,
    ' is not allowed: an admin can add its host to backend.reading.allow or to the integrations',
  ],
  [/^(?:\w*Error: )+/, ''],
  [/, \w*Error: /g, ', '],
];

/** Converts JSON pointers to a dotted path, e.g. `metadata.name`. */
function fieldOf(...pointers: string[]): string {
  return pointers
    .flatMap(pointer => pointer.split('/'))
    .filter(part => part !== '' && part !== '<root>')
    .join('.');
}

const CHECK_FAILED = 'Policy check failed for ';
const CAUSED_BY = '; caused by ';

/** Removes each `Policy check failed for <entity>; caused by <Error>: ` from a message. */
function withoutCheckedEntity(message: string): string {
  return message
    .split(CHECK_FAILED)
    .map((part, index) => {
      const cause = part.indexOf(CAUSED_BY);
      return index > 0 && cause >= 0
        ? part.slice(cause + CAUSED_BY.length).replace(/^\w{0,40}Error: /, '')
        : part;
    })
    .join('');
}

/** Describes an error in a descriptor without internal names of the catalog: `metadata.name is required`. */
export function describeFailure(message: string): string {
  const cut =
    message.length > MAX_MESSAGE_LENGTH
      ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…`
      : message;
  return REWORDINGS.reduce(
    (text, [pattern, wording]) =>
      typeof wording === 'string'
        ? text.replace(pattern, wording)
        : text.replace(pattern, wording),
    withoutCheckedEntity(cut),
  );
}
